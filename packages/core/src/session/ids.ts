/** A session's public id. It belongs to the host; the agent's own id for it stays private. */
export type SessionId = string & { readonly __brand: 'SessionId' };
/** One turn: a prompt until its end. */
export type TurnId = string & { readonly __brand: 'TurnId' };
/** One prompt command, named by whoever sent it. */
export type PromptId = string & { readonly __brand: 'PromptId' };
/** One permission request, named by the host: an agent may reuse a tool call id, never this. */
export type PermissionId = string & { readonly __brand: 'PermissionId' };
