export { connectHttp, type HttpClient } from './connect-http.ts';
export type { HttpClientLimits, HttpClientOptions, HttpCookies } from './http-client-options.ts';
export type {
  HttpFetch,
  HttpFetchBody,
  HttpFetchHeaders,
  HttpFetchInit,
  HttpFetchPiece,
  HttpFetchReader,
  HttpFetchResponse,
} from './http-fetch.ts';
export {
  HttpTransportError,
  type HttpTransportErrorCode,
  type HttpTransportErrorDetails,
} from './http-transport-error.ts';
