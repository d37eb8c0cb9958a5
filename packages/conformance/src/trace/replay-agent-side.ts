import { at, listAt, stringAt } from '../json/json.ts';
import type { Call, View } from '../passive/view.ts';
import { decodeMessage, type WireMessage } from '../passive/wire-message.ts';
import type { Child } from '../process/child.ts';
import { LineCutter, type CutLine } from './line-cutter.ts';
import { decode } from './recorder.ts';
import { Changes } from './replay-changes.ts';
import { ReplayIds, withId } from './replay-ids.ts';

/** Internal error of JSON-RPC. */
const INTERNAL_ERROR = -32603;

/** A living agent, seen beside the recording of another run of it. */
export class ReplayedAgent {
  /** The requests of the agent so far. */
  readonly requests: WireMessage[] = [];
  readonly #child: Child;
  readonly #view: View;
  readonly #changes = new Changes();
  readonly #ids = new ReplayIds();
  readonly #responses = new Map<Call, WireMessage>();
  /** Recorded requests of the agent with those that stand for them now. */
  readonly #pairs = new Map<Call, WireMessage>();
  readonly #sentCalls: Call[] = [];
  /** Waits that took too long; nothing waits for the same again. */
  readonly #givenUp = new Set<Call>();
  /** Recorded answers whose turn came before the agent had asked. */
  readonly #overdue = new Set<Call>();
  #linesSinceSent = 0;
  #hasEnded = false;

  constructor(child: Child, view: View) {
    this.#child = child;
    this.#view = view;
    const cutter = new LineCutter();
    child.output.on('data', (chunk: Buffer) =>
      cutter.push(chunk).forEach((cut) => this.#take(cut)),
    );
    void child.exited.then(() => {
      this.#hasEnded = true;
      this.#changes.changed();
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The agent's answer to the request that was recorded as this call. */
  responseTo(call: Call): WireMessage | undefined {
    return this.#responses.get(call);
  }

  /** Waits until the agent has done what matters and was recorded before this line of the client. */
  async whenReady(line: WireMessage, timeoutMs: number): Promise<readonly string[]> {
    const missing = (): Call[] => this.#view.calls.filter((call) => this.#isMissing(call, line));
    const isReady = (): boolean => missing().length === 0 && this.#hasBegun(line);
    if (await this.#changes.until(() => this.#hasEnded || isReady(), timeoutMs)) return [];
    return missing().map((call) => {
      this.#givenUp.add(call);
      const what = call.caller === 'client' ? 'did not answer' : 'did not ask for';
      return `the agent ${what} ${call.method} (line ${call.request.index + 1}) in time`;
    });
  }

  /** Waits for the answers that the recording has. */
  async whenAnswered(timeoutMs: number): Promise<void> {
    const isDone = (): boolean =>
      this.#sentCalls.every(
        (call) =>
          call.response === undefined || this.#givenUp.has(call) || this.#responses.has(call),
      );
    await this.#changes.until(() => this.#hasEnded || isDone(), timeoutMs);
  }

  /** Sends a recorded line of the client. @returns false if it answers what was not asked now. */
  async send(line: WireMessage): Promise<boolean> {
    const call = this.#view.callOf(line);
    if (call?.caller === 'agent') {
      const request = this.#pairs.get(call);
      if (request === undefined) this.#overdue.add(call);
      else await this.#answer(call, request);
      return request !== undefined;
    }
    if (call !== undefined) this.#sentCalls.push(call);
    this.#linesSinceSent = 0;
    const { text, bytes, isCut } = line.entry;
    const end = isCut === true ? '' : '\n';
    await this.#child.write(
      bytes === undefined ? this.#ids.apply(text) + end : Buffer.concat([bytes, Buffer.from(end)]),
    );
    return true;
  }

  /** Whether a call still lacks what it had when the recorded client sent this line. */
  #isMissing(call: Call, line: WireMessage): boolean {
    if (this.#givenUp.has(call)) return false;
    if (call.caller === 'client') {
      const isDue = call.response !== undefined && call.response.index < line.index;
      return isDue && !this.#responses.has(call) && this.#sentCalls.includes(call);
    }
    const isDue = call.response !== undefined && call.request.index < line.index;
    return isDue && !this.#pairs.has(call) && !this.#isTooLateFor(call);
  }

  /** Whether all that the agent was doing when it asked is done now, so that it will not ask any more. */
  #isTooLateFor({ request }: Call): boolean {
    const during = this.#view.calls.filter(
      (call) =>
        call.caller === 'client' &&
        call.request.index < request.index &&
        (call.response?.index ?? Infinity) > request.index,
    );
    return during.length > 0 && during.every((call) => this.#responses.has(call));
  }

  /** A notification amid a turn, such as a cancellation, waits until the turn shows itself. */
  #hasBegun(line: WireMessage): boolean {
    const before = this.#view.messages[line.index - 1];
    return line.kind !== 'notification' || before?.sender !== 'agent' || this.#linesSinceSent > 0;
  }

  #take({ bytes }: CutLine): void {
    const message = decodeMessage({ dir: 'a2c', t: 0, ...decode(bytes) }, 0);
    this.#linesSinceSent++;
    if (message.kind === 'response') this.#takeResponse(message);
    if (message.kind === 'request') this.#takeRequest(message);
    this.#changes.changed();
  }

  #takeResponse(message: WireMessage): void {
    const call = this.#sentCalls.find(
      (each) => each.request.idText === message.idText && !this.#responses.has(each),
    );
    if (call === undefined) return;
    this.#responses.set(call, message);
    const recorded = call.response?.result;
    this.#ids.learn('sessionId', at(recorded, 'sessionId'), at(message.result, 'sessionId'));
    this.#ids.learn('cursor', at(recorded, 'nextCursor'), at(message.result, 'nextCursor'));
  }

  #takeRequest(message: WireMessage): void {
    this.requests.push(message);
    const open = this.#view.calls.filter(
      (call) => call.caller === 'agent' && call.method === message.method && !this.#pairs.has(call),
    );
    const params = JSON.stringify(message.params);
    const same = (call: Call): boolean =>
      this.#ids.apply(JSON.stringify(call.params) ?? '') === params;
    const call = open.find(same) ?? open[0];
    if (call === undefined) {
      const error = { code: INTERNAL_ERROR, message: 'the recording has no answer to this' };
      const text = JSON.stringify({ jsonrpc: '2.0', id: null, error });
      void this.#child.write(`${withId(text, message.idText ?? 'null')}\n`);
      return;
    }
    this.#pairs.set(call, message);
    if (this.#overdue.has(call)) void this.#answer(call, message);
  }

  async #answer(call: Call, request: WireMessage): Promise<void> {
    if (call.response === undefined) return;
    this.#linesSinceSent = 0;
    const ids = new ReplayIds();
    if (call.method === 'session/request_permission') learnOption(ids, call, request);
    const text = ids.apply(this.#ids.apply(call.response.entry.text));
    await this.#child.write(`${withId(text, request.idText ?? 'null')}\n`);
  }
}

/** The option of now that is of the kind of the chosen one, where the agent names its options anew. */
function learnOption(ids: ReplayIds, call: Call, request: WireMessage): void {
  const chosen = stringAt(call.response?.result, 'outcome', 'optionId');
  const live = listAt(request.params, 'options');
  if (chosen === undefined || live.some((option) => at(option, 'optionId') === chosen)) return;
  const recorded = listAt(call.params, 'options').find(
    (option) => at(option, 'optionId') === chosen,
  );
  const kind = at(recorded, 'kind');
  const alike = live.find((option) => kind !== undefined && at(option, 'kind') === kind);
  ids.learn('optionId', chosen, at(alike, 'optionId'));
}
