export {
  openNodeSocket,
  type NodeSocketOptions,
  type UpgradeHeaders,
} from './transport/websocket/open-node-socket.ts';
export { createCookieJar } from './transport/http/client/cookie-jar.ts';
export { createNodeFetch, type NodeFetchOptions } from './transport/http/client/node-fetch.ts';
