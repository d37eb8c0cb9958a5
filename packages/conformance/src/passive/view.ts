import { at, isObject, stringAt, type JsonObject } from '../json/json.ts';
import type { Side } from '../requirements/requirement.ts';
import type { Trace } from '../trace/trace-entry.ts';
import type { TransportKind } from '../transport-kind.ts';
import { decodeMessage, type WireMessage } from './wire-message.ts';

/** A request and what it was answered with. */
export interface Call {
  readonly request: WireMessage;
  readonly caller: Side;
  readonly method: string;
  readonly params: unknown;
  /** The first response with the request's id. */
  response: WireMessage | undefined;
}

/** A response that belongs to no request that was open when it came. */
export interface StrayResponse {
  readonly message: WireMessage;
  /** The call of this id that had been answered before; undefined if no request ever had the id. */
  readonly answered: Call | undefined;
  /** A call that is open and whose id is the same value in another JSON type. */
  readonly lookalike: Call | undefined;
  /** A call that is open and whose id becomes this one when it is rounded to double precision. */
  readonly rounded: Call | undefined;
}

/** A successful `initialize`. */
export interface Handshake {
  readonly request: WireMessage;
  readonly response: WireMessage;
  readonly version: number;
  readonly client: JsonObject;
  readonly agent: JsonObject;
}

/** A `session/update` of the agent that can be read. */
export interface Update {
  readonly message: WireMessage;
  readonly sessionId: string;
  readonly kind: string;
  readonly update: JsonObject;
}

/** A trace, decoded and put in relation. */
export interface View {
  /** How the messages travelled. */
  readonly transport: TransportKind;
  readonly messages: readonly WireMessage[];
  readonly calls: readonly Call[];
  readonly strays: readonly StrayResponse[];
  readonly handshakes: readonly Handshake[];
  readonly updates: readonly Update[];
  /** The call whose request or response this message is. */
  readonly callOf: (message: WireMessage) => Call | undefined;
  /** What was agreed when the message at this place was sent; undefined before the handshake. */
  readonly handshakeAt: (index: number) => Handshake | undefined;
}

/** Decodes a trace and matches responses to requests. */
export function createView(trace: Trace, transport: TransportKind = 'stdio'): View {
  const messages = trace.map(decodeMessage);
  const matcher = new Matcher();
  for (const message of messages) matcher.take(message);
  const handshakes = matcher.calls.flatMap(toHandshake);
  return {
    transport,
    messages,
    calls: matcher.calls,
    strays: matcher.strays,
    handshakes,
    updates: messages.flatMap(toUpdate),
    callOf: (message) => matcher.byMessage.get(message),
    handshakeAt: (index) => handshakes.findLast(({ response }) => response.index < index),
  };
}

class Matcher {
  readonly calls: Call[] = [];
  readonly strays: StrayResponse[] = [];
  readonly byMessage = new Map<WireMessage, Call>();
  /** Open calls by caller and id; a list, since ids may be reused by mistake. */
  readonly #open = new Map<string, Call[]>();
  readonly #answered = new Map<string, Call>();
  /** Ids of broken requests, which may be answered with an error. */
  readonly #refusable = new Set<string>();

  take(message: WireMessage): void {
    if (message.kind === 'request') this.#request(message);
    if (message.kind === 'other' && message.idText !== undefined) {
      this.#refusable.add(keyOf(message.sender, message.idText));
    }
    if (message.kind === 'response') this.#response(message);
  }

  #request(request: WireMessage): void {
    const { sender: caller, method, params } = request;
    const call: Call = { request, caller, method, params, response: undefined };
    this.calls.push(call);
    this.byMessage.set(request, call);
    const key = keyOf(caller, request.idText);
    this.#open.set(key, [...(this.#open.get(key) ?? []), call]);
  }

  #response(message: WireMessage): void {
    const caller: Side = message.sender === 'agent' ? 'client' : 'agent';
    const key = keyOf(caller, message.idText);
    const call = this.#open.get(key)?.shift();
    if (call !== undefined) {
      call.response = message;
      this.#answered.set(key, call);
      this.byMessage.set(message, call);
      return;
    }
    if (this.#refusable.delete(key) && message.isError) return;
    this.strays.push({
      message,
      answered: this.#answered.get(key),
      lookalike: this.#open.get(keyOf(caller, otherType(message.idText)))?.[0],
      rounded: this.calls.find(
        (each) =>
          each.caller === caller &&
          each.response === undefined &&
          isRounded(each.request.idText, message.idText),
      ),
    });
  }
}

function keyOf(caller: Side, idText: string | undefined): string {
  return `${caller} ${idText ?? ''}`;
}

function isRounded(exact: string | undefined, rounded: string | undefined): boolean {
  const value = Number(exact);
  return !Number.isSafeInteger(value) && value === Number(rounded);
}

/** `7` for `"7"` and the other way round. */
function otherType(idText: string | undefined): string {
  if (idText === undefined) return '';
  return idText.startsWith('"') ? idText.slice(1, -1) : `"${idText}"`;
}

function toHandshake({ method, request, response }: Call): Handshake[] {
  if (method !== 'initialize' || response === undefined || response.isError) return [];
  const version = at(response.result, 'protocolVersion');
  if (request.sender !== 'client' || typeof version !== 'number') return [];
  const client = at(request.params, 'clientCapabilities');
  const agent = at(response.result, 'agentCapabilities');
  return [
    {
      request,
      response,
      version,
      client: isObject(client) ? client : {},
      agent: isObject(agent) ? agent : {},
    },
  ];
}

function toUpdate(message: WireMessage): Update[] {
  if (message.sender !== 'agent' || message.method !== 'session/update') return [];
  const update = at(message.params, 'update');
  const sessionId = stringAt(message.params, 'sessionId');
  const kind = stringAt(update, 'sessionUpdate');
  if (!isObject(update) || sessionId === undefined || kind === undefined) return [];
  return [{ message, sessionId, kind, update }];
}
