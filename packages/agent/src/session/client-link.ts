import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@signalbox/acp';

/** The client as one session sees it. */
export interface ClientLink {
  /** Whether it announced that it shows notices; without that none may be sent (R-NOT-01). */
  readonly takesNotices: boolean;
  /** Sends an update of this session. Returns a promise only when the sender should wait. */
  update(update: SessionUpdate): void | Promise<void>;
  /** Asks for permission; aborting the signal withdraws the question. */
  requestPermission(
    request: Omit<RequestPermissionRequest, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
}
