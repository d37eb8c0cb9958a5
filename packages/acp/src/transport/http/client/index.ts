export { connectHttp, type HttpClient } from './connect-http.ts';
export type {
  HttpClientLimits,
  HttpClientOptions,
  HttpCookies,
  HttpFetch,
} from './http-client-options.ts';
export {
  HttpTransportError,
  type HttpTransportErrorCode,
  type HttpTransportErrorDetails,
} from './http-transport-error.ts';
