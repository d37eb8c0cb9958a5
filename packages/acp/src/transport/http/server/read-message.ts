import { errorText } from '../../../jsonrpc/encode-message.ts';
import { parseMessage, type MalformedMessage, type Message } from '../../../jsonrpc/message.ts';
import { isNestedDeeper } from '../../../jsonrpc/nesting.ts';
import { RpcErrorCode } from '../../../jsonrpc/rpc-error.ts';
import { JSON_TYPE } from '../http-header.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { AcpHttpLimits } from './http-limits.ts';
import { HttpProblem } from './http-problem.ts';
import { readBody } from './read-body.ts';

/** A message that can be processed. */
export type PostedMessage = Exclude<Message, MalformedMessage>;

/**
 * Reads the one message of a POST (R-HTTP-04, R-HTTP-05).
 *
 * @returns undefined when it was none, which has been answered then.
 * @throws HttpProblem
 */
export async function readMessage(
  exchange: HttpExchange,
  limits: Pick<AcpHttpLimits, 'frameBytesMax' | 'levelsMax'>,
): Promise<PostedMessage | undefined> {
  const type = (exchange.header('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== JSON_TYPE) {
    throw new HttpProblem(415, 'unsupported_media_type', `A message is sent as ${JSON_TYPE}.`);
  }
  const text = await readBody(exchange.request, limits.frameBytesMax);
  if (text === undefined) {
    const answer = errorText('null', RpcErrorCode.ParseError, 'Parse error', {
      reason: 'not UTF-8',
    });
    exchange.sendJson(400, answer);
    return undefined;
  }
  if (isNestedDeeper(text, limits.levelsMax)) {
    const reason = `more than ${limits.levelsMax} levels of nesting`;
    const { InvalidRequest } = RpcErrorCode;
    exchange.sendJson(400, errorText('null', InvalidRequest, 'Invalid Request', { reason }));
    return undefined;
  }
  const message = parseMessage(text);
  if (message.kind !== 'malformed') return message;
  refuse(exchange, message);
  return undefined;
}

/** What cannot be read is answered with the id null and never with one that was made up (B13, B15). */
function refuse(exchange: HttpExchange, { reason, answer }: MalformedMessage): void {
  if (answer === undefined) {
    throw new HttpProblem(400, 'invalid_request', `The body is no valid message: ${reason}.`);
  }
  const what = answer.code === RpcErrorCode.ParseError ? 'Parse error' : 'Invalid Request';
  exchange.sendJson(400, errorText(answer.idText, answer.code, what, { reason }));
}
