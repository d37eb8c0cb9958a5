/** The notification with which either side cancels a request of its own (R-CRQ). */
export const CANCEL_REQUEST = '$/cancel_request';
