import { memberText } from '@signalbox/acp';
import { at, stringAt } from '../json/json.ts';
import { decodeMessage, type WireMessage } from '../passive/wire-message.ts';
import type { RowKind, TraceRow } from './show-row.ts';
import type { Direction, TraceEntry } from './trace-entry.ts';

/** Characters of a message that a row carries. */
const DETAIL_LENGTH_MAX = 400;

/** Kinds of updates that carry a piece of one text. */
const CHUNKS: ReadonlySet<string> = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'user_message_chunk',
]);

/** A request that has no answer yet. */
interface Open {
  readonly method: string;
  readonly t: number;
}

/** A run of chunks that may go on. */
interface Run {
  readonly key: string;
  row: TraceRow;
}

/**
 * Makes rows for people from the entries of a trace: pairs answers with their requests and folds runs of
 * streamed chunks. It remembers open requests only, so a trace may have any length.
 */
export class TraceFolder {
  readonly #open: Readonly<Record<Direction, Map<string, Open>>> = {
    c2a: new Map(),
    a2c: new Map(),
  };
  #before = 0;
  #run: Run | undefined;

  /** Takes the next entry and gives the rows that are finished by it: none, one or two. */
  push(entry: TraceEntry, number: number): TraceRow[] {
    const row = this.#toRow(decodeMessage(entry, number - 1), number);
    const key = runKey(row, entry);
    const run = this.#run;
    if (run !== undefined && key === run.key) {
      const detail = (run.row.detail + row.detail).slice(0, DETAIL_LENGTH_MAX);
      run.row = { ...run.row, count: run.row.count + 1, detail };
      return [];
    }
    this.#run = key === undefined ? undefined : { key, row };
    return [...(run === undefined ? [] : [run.row]), ...(key === undefined ? [row] : [])];
  }

  /** The rows that are left when the trace has ended. */
  end(): TraceRow[] {
    const run = this.#run;
    this.#run = undefined;
    return run === undefined ? [] : [run.row];
  }

  #toRow(message: WireMessage, number: number): TraceRow {
    const { entry, t, idText } = message;
    const kind = kindOf(message);
    const call = this.#callOf(message, kind);
    const gapMs = Math.max(0, t - this.#before);
    this.#before = t;
    const update = stringAt(message.params, 'update', 'sessionUpdate');
    return {
      number,
      count: 1,
      t,
      gapMs,
      dir: entry.dir,
      kind,
      method: call?.method ?? message.method,
      ...(update === undefined ? {} : { update }),
      ...(idText === undefined || kind === 'noise' ? {} : { idText }),
      ...(call === undefined || kind === 'request' ? {} : { latencyMs: t - call.t }),
      detail: detailOf(message, kind),
      isCut: entry.isCut === true,
    };
  }

  /** The request that this message is or answers. */
  #callOf({ idText = '', method, t, entry }: WireMessage, kind: RowKind): Open | undefined {
    if (kind === 'request') {
      const call = { method, t };
      this.#open[entry.dir].set(idText, call);
      return call;
    }
    if (kind !== 'result' && kind !== 'error') return undefined;
    const requests = this.#open[entry.dir === 'c2a' ? 'a2c' : 'c2a'];
    const call = requests.get(idText);
    requests.delete(idText);
    return call;
  }
}

function kindOf({ kind, isError }: WireMessage): RowKind {
  if (kind === 'response') return isError ? 'error' : 'result';
  return kind === 'other' ? 'noise' : kind;
}

/** Equal for chunks that belong to one run; undefined for everything else. */
function runKey({ update, dir, isCut }: TraceRow, { text }: TraceEntry): string | undefined {
  if (update === undefined || isCut || !CHUNKS.has(update)) return undefined;
  const params = memberText(text, 'params') ?? '';
  return `${dir} ${update} ${memberText(params, 'sessionId') ?? ''}`;
}

function detailOf({ entry, params, error }: WireMessage, kind: RowKind): string {
  switch (kind) {
    case 'noise':
      return begin(entry.text);
    case 'result':
      return begin(memberText(entry.text, 'result'));
    case 'error':
      return begin(`${String(at(error, 'code'))} ${String(at(error, 'message'))}`);
    case 'request':
    case 'notification': {
      const update = at(params, 'update');
      if (!CHUNKS.has(stringAt(update, 'sessionUpdate') ?? '')) {
        const text = memberText(entry.text, 'params') ?? '';
        return begin(memberText(text, 'update') ?? withoutSession(text));
      }
      return begin(stringAt(update, 'content', 'text') ?? `[${typeOf(update)}]`);
    }
  }
}

/** The session is the same in most lines, and would push what differs out of sight. */
function withoutSession(params: string): string {
  return params.replace(/^\{"sessionId":"[^"]*",?/, '{');
}

function typeOf(update: unknown): string {
  return stringAt(update, 'content', 'type') ?? 'no content';
}

function begin(text: string | undefined): string {
  return (text ?? '').slice(0, DETAIL_LENGTH_MAX);
}
