/**
 * The methods of the log view: ACP extension methods by which a client follows a session's log itself,
 * and folds it as the host does. Requests of the client, unless said otherwise.
 */
export const LogMethod = {
  /** Follow a session, from its beginning, from a cursor, or from a snapshot of it. */
  attach: '_signalbox/session/attach',
  detach: '_signalbox/session/detach',
  /** Answer a permission request that an event told of. */
  answerPermission: '_signalbox/session/answer_permission',
  /** Sessions of all agents. */
  list: '_signalbox/session/list',
  /** A session's context, for an agent that cannot load the session. */
  snapshot: '_signalbox/session/snapshot',
  /** A new session whose agent is told a context. */
  restore: '_signalbox/session/restore',
  /** A part of a large string of an event. */
  readContent: '_signalbox/content/read',
  /** Answers at once; shows that the connection is alive. */
  ping: '_signalbox/ping',
  /** Notification to the client: events, in order, with the cursor behind the last of them. */
  events: '_signalbox/session/events',
  /** Notification to the client: the head that stood at the attach has been reached. */
  caughtUp: '_signalbox/session/caught_up',
  /** Notification to the client: nothing more comes for this attachment. */
  ended: '_signalbox/session/ended',
} as const;
