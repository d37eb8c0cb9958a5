import type {
  AuthenticateRequest,
  AuthenticateResponse,
  CancelNotification,
  CancelRequestNotification,
  CloseSessionRequest,
  CloseSessionResponse,
  CompleteElicitationNotification,
  CreateElicitationRequest,
  CreateElicitationResponse,
  CreateTerminalRequest,
  CreateTerminalResponse,
  DeleteSessionRequest,
  DeleteSessionResponse,
  InitializeRequest,
  InitializeResponse,
  KillTerminalRequest,
  KillTerminalResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  LogoutRequest,
  LogoutResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  ReleaseTerminalRequest,
  ReleaseTerminalResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ResumeSessionRequest,
  ResumeSessionResponse,
  SessionNotification,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
  SetSessionModeResponse,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from './types.ts';

/** Requests that an agent handles. */
export interface AgentRequests {
  authenticate: { params: AuthenticateRequest; result: AuthenticateResponse };
  initialize: { params: InitializeRequest; result: InitializeResponse };
  logout: { params: LogoutRequest; result: LogoutResponse };
  'session/close': { params: CloseSessionRequest; result: CloseSessionResponse };
  'session/delete': { params: DeleteSessionRequest; result: DeleteSessionResponse };
  'session/list': { params: ListSessionsRequest; result: ListSessionsResponse };
  'session/load': { params: LoadSessionRequest; result: LoadSessionResponse };
  'session/new': { params: NewSessionRequest; result: NewSessionResponse };
  'session/prompt': { params: PromptRequest; result: PromptResponse };
  'session/resume': { params: ResumeSessionRequest; result: ResumeSessionResponse };
  'session/set_config_option': {
    params: SetSessionConfigOptionRequest;
    result: SetSessionConfigOptionResponse;
  };
  'session/set_mode': { params: SetSessionModeRequest; result: SetSessionModeResponse };
}

/** Notifications that an agent handles. */
export interface AgentNotifications {
  'session/cancel': { params: CancelNotification };
}

/** Requests that a client handles. */
export interface ClientRequests {
  'elicitation/create': { params: CreateElicitationRequest; result: CreateElicitationResponse };
  'fs/read_text_file': { params: ReadTextFileRequest; result: ReadTextFileResponse };
  'fs/write_text_file': { params: WriteTextFileRequest; result: WriteTextFileResponse };
  'session/request_permission': {
    params: RequestPermissionRequest;
    result: RequestPermissionResponse;
  };
  'terminal/create': { params: CreateTerminalRequest; result: CreateTerminalResponse };
  'terminal/kill': { params: KillTerminalRequest; result: KillTerminalResponse };
  'terminal/output': { params: TerminalOutputRequest; result: TerminalOutputResponse };
  'terminal/release': { params: ReleaseTerminalRequest; result: ReleaseTerminalResponse };
  'terminal/wait_for_exit': {
    params: WaitForTerminalExitRequest;
    result: WaitForTerminalExitResponse;
  };
}

/** Notifications that a client handles. */
export interface ClientNotifications {
  'elicitation/complete': { params: CompleteElicitationNotification };
  'session/update': { params: SessionNotification };
}

/** Notifications that either side handles, as part of the protocol itself. */
export interface ProtocolNotifications {
  '$/cancel_request': { params: CancelRequestNotification };
}
