export type { Credential } from './auth/credential.ts';
export {
  Credentials,
  type CreatedLoginCode,
  type CreatedToken,
  type CredentialsOptions,
  type SignedIn,
} from './auth/credentials.ts';
export { ROLES, type Principal, type Role } from './auth/principal.ts';
export { CLOSE_GRACE_MS, createServer } from './create-server.ts';
export type { ListenOptions, TlsKeys } from './listening/listen-options.ts';
export { createLog } from './observe/create-log.ts';
export type { ProblemCode } from './problem/problem.ts';
export { isServerError, ServerError, type ServerErrorCode } from './server-error.ts';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
export type { ServerOptions } from './server-options.ts';
export type { ServerAddress, SignalboxServer } from './signalbox-server.ts';
