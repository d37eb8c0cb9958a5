import { memberText } from '@signalbox/acp';
import type { EditorRequest } from './editor-requests.ts';

const CURSOR = 'acp/cursor';

/** The sessions that the editor has open, each with its place in the log. */
export class OpenSessions {
  readonly #cursors = new Map<string, string>();

  /** Session ids with the cursor behind what the editor was given last. */
  get all(): readonly (readonly [sessionId: string, cursor: string])[] {
    return [...this.#cursors];
  }

  /** The editor was given an update. @param params the exact text of its params. */
  onUpdate(params: string): void {
    const meta = memberText(params, '_meta');
    const sessionId = memberText(params, 'sessionId');
    const cursor = meta === undefined ? undefined : memberText(meta, CURSOR);
    if (cursor === undefined || sessionId === undefined) return;
    this.#cursors.set(JSON.parse(sessionId) as string, JSON.parse(cursor) as string);
  }

  /** The editor was given a result. */
  onResult({ method, sessionId: named }: EditorRequest, result: unknown): void {
    const { sessionId = named, _meta } = (result ?? {}) as {
      sessionId?: string;
      _meta?: Record<string, unknown> | null;
    };
    if (sessionId === undefined) return;
    if (method === 'session/close' || method === 'session/delete') this.#cursors.delete(sessionId);
    const cursor = _meta?.[CURSOR];
    if (typeof cursor === 'string') this.#cursors.set(sessionId, cursor);
  }

  forget(sessionId: string): void {
    this.#cursors.delete(sessionId);
  }
}
