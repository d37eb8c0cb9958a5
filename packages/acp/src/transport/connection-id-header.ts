/** The header with the server's id for a connection, on every door (R-WS-01, R-HTTP-07). */
export const CONNECTION_ID_HEADER = 'Acp-Connection-Id';
