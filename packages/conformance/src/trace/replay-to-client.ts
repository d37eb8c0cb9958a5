import { at, stringAt } from '../json/json.ts';
import { decodeMessage, type WireMessage } from '../passive/wire-message.ts';
import { LineCutter } from './line-cutter.ts';
import { decode } from './recorder.ts';
import { Changes } from './replay-changes.ts';
import { ReplayIds, withId } from './replay-ids.ts';
import type { ReplayReport } from './replay-report.ts';
import { toReplayScripts, type ReplayScript, type ReplayStep } from './replay-scripts.ts';
import type { Trace } from './trace-entry.ts';

/** How the agent's side of a trace is played. */
export interface ReplayToClientOptions {
  readonly trace: Trace;
  /** What the client sends. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Sends bytes to the client; resolves when there is room for more. */
  readonly write: (bytes: string | Uint8Array) => Promise<void>;
  /** The longest wait for an answer or a notification of the client. */
  readonly timeoutMs: number;
  /** Multiple of the recorded speed; absent: as fast as possible. */
  readonly speed?: number;
}

/**
 * Plays the agent's side of a trace to a client until that ends its output: each request gets what was
 * recorded for the same method, in the recorded order, with all that the agent sent on the way.
 */
export async function replayToClient(options: ReplayToClientOptions): Promise<ReplayReport> {
  return new ClientReplay(options).run();
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** A script that is being played. */
interface Playing {
  readonly script: ReplayScript;
  readonly request: WireMessage;
  readonly ids: ReplayIds;
  /** True when the client cancelled a turn that was not cancelled in the recording. */
  isCancelled: boolean;
}

class ClientReplay {
  readonly #options: ReplayToClientOptions;
  readonly #changes = new Changes();
  readonly #terminalIds = new ReplayIds();
  readonly #answers = new Map<string, WireMessage>();
  readonly #notifications: string[] = [];
  readonly #playing = new Set<Playing>();
  readonly #differences: string[] = [];
  readonly #prelude: readonly ReplayStep[];
  readonly #recorded: number;
  #scripts: readonly ReplayScript[];
  #sent = 0;
  #isOver = false;

  constructor(options: ReplayToClientOptions) {
    this.#options = options;
    const { prelude, scripts, lines } = toReplayScripts(options.trace);
    this.#prelude = prelude;
    this.#scripts = scripts;
    this.#recorded = lines;
  }

  async run(): Promise<ReplayReport> {
    for (const step of this.#prelude) if (step.kind === 'send') await this.#send(step.message, {});
    const cutter = new LineCutter();
    for await (const chunk of this.#options.input) {
      for (const { bytes } of cutter.push(chunk)) {
        this.#take(decodeMessage({ dir: 'c2a', t: 0, ...decode(bytes) }, 0));
      }
    }
    this.#isOver = true;
    this.#changes.changed();
    const left = this.#scripts.map(
      ({ call }) => `line ${call.request.index + 1} ${call.method}: not requested`,
    );
    const differences = [...this.#differences, ...left];
    return { sent: this.#sent, recorded: this.#recorded, differences };
  }

  #take(message: WireMessage): void {
    const { kind, method, idText = '' } = message;
    if (kind === 'request') void this.#serve(message);
    if (kind === 'response') this.#answers.set(idText, message);
    if (kind === 'notification') this.#notifications.push(method);
    if (method === 'session/cancel' && kind === 'notification') this.#cancel(message);
    this.#changes.changed();
  }

  async #serve(request: WireMessage): Promise<void> {
    const script = this.#scripts.find(({ call }) => call.method === request.method);
    if (script === undefined) {
      await this.#refuse(request);
      return;
    }
    this.#scripts = this.#scripts.filter((each) => each !== script);
    const ids = new ReplayIds();
    const [recorded, live] = [script.call.params, request.params];
    ids.learn('sessionId', at(recorded, 'sessionId'), at(live, 'sessionId'));
    const playing = { script, request, ids, isCancelled: false };
    this.#playing.add(playing);
    await this.#play(playing);
    this.#playing.delete(playing);
  }

  async #play(playing: Playing): Promise<void> {
    const { script, request } = playing;
    let lastT = script.call.request.t;
    for (const step of script.steps) {
      if (step.kind !== 'send') {
        await this.#wait(step, playing);
      } else {
        await this.#pace(step.message.t - lastT);
        lastT = step.message.t;
        if (!playing.isCancelled) await this.#send(step.message, { playing });
      }
      if (playing.isCancelled) {
        const text = '{"jsonrpc":"2.0","id":0,"result":{"stopReason":"cancelled"}}';
        await this.#options.write(`${withId(text, request.idText ?? 'null')}\n`);
        return;
      }
      if (this.#isOver) return;
    }
  }

  async #wait(step: Exclude<ReplayStep, { kind: 'send' }>, playing: Playing): Promise<void> {
    const place = (): number =>
      step.kind === 'notification' ? this.#notifications.indexOf(step.method) : -1;
    const idText = step.kind === 'answer' ? (step.call.request.idText ?? '') : '';
    const hasCome = (): boolean => place() >= 0 || this.#answers.has(idText);
    const isMet = (): boolean => hasCome() || playing.isCancelled || this.#isOver;
    await this.#changes.until(isMet, this.#options.timeoutMs);
    if (!hasCome()) {
      const what = step.kind === 'answer' ? `answer to ${step.call.method}` : step.method;
      if (!playing.isCancelled) this.#differences.push(`the client sent no ${what} in time`);
      return;
    }
    if (step.kind === 'notification') {
      this.#notifications.splice(place(), 1);
      return;
    }
    const live = this.#answers.get(idText)?.result;
    const recorded = step.call.response?.result;
    this.#answers.delete(idText);
    this.#terminalIds.learn('terminalId', at(recorded, 'terminalId'), at(live, 'terminalId'));
  }

  /** A turn that was not cancelled in the recording ends, as an agent has to end it. */
  #cancel(notification: WireMessage): void {
    const sessionId = stringAt(notification.params, 'sessionId');
    for (const playing of this.#playing) {
      const { script, request } = playing;
      const isTurn = script.call.method === 'session/prompt';
      const isExpected = script.steps.some(
        (step) => step.kind === 'notification' && step.method === 'session/cancel',
      );
      const isSame = stringAt(request.params, 'sessionId') === sessionId;
      if (isTurn && isSame && !isExpected) playing.isCancelled = true;
    }
  }

  async #refuse(request: WireMessage): Promise<void> {
    const { method, idText = 'null' } = request;
    const isKnown = this.#options.trace.some(
      (entry, index) => entry.dir === 'c2a' && decodeMessage(entry, index).method === method,
    );
    const code = isKnown ? INTERNAL_ERROR : METHOD_NOT_FOUND;
    const message = isKnown ? 'the recording has no further answer' : 'not in the recording';
    this.#differences.push(`${method}: ${message}`);
    const text = JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code, message } });
    await this.#options.write(`${withId(text, idText)}\n`);
  }

  async #send(message: WireMessage, { playing }: { playing?: Playing }): Promise<void> {
    const { text, bytes, isCut } = message.entry;
    const end = isCut === true ? '' : '\n';
    this.#sent++;
    if (bytes !== undefined || message.kind === 'other') {
      await this.#options.write(Buffer.concat([bytes ?? Buffer.from(text), Buffer.from(end)]));
      return;
    }
    const mapped = this.#terminalIds.apply(playing?.ids.apply(text) ?? text);
    const isAnswer = message.kind === 'response' && playing !== undefined;
    const line = isAnswer ? withId(mapped, playing.request.idText ?? 'null') : mapped;
    await this.#options.write(line + end);
  }

  async #pace(gapMs: number): Promise<void> {
    const { speed } = this.#options;
    if (speed === undefined || gapMs <= 0) return;
    await new Promise((resolve) => setTimeout(resolve, gapMs / speed));
  }
}
