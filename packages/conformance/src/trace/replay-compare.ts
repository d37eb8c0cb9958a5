import { at } from '../json/json.ts';
import type { Call } from '../passive/view.ts';
import { errorCode, type WireMessage } from '../passive/wire-message.ts';

/** Members of results that say how a call went, and not only what it brought. */
const TELLING_MEMBERS: readonly string[] = ['stopReason', 'protocolVersion'];

/** In what an answer differs from the recorded one, in words; undefined when it does not. */
export function answerDifference(
  { method, request, response: recorded }: Call,
  live: WireMessage | undefined,
): string | undefined {
  if (recorded === undefined && live === undefined) return undefined;
  const [was, is] = [describe(recorded), describe(live)];
  return was === is ? undefined : `line ${request.index + 1} ${method}: ${is}, recorded: ${was}`;
}

/** Where two countings of methods differ, in words. */
export function countDifferences(
  recorded: readonly string[],
  live: readonly string[],
): readonly string[] {
  const methods = [...new Set([...recorded, ...live])];
  return methods.flatMap((method) => {
    const was = recorded.filter((each) => each === method).length;
    const is = live.filter((each) => each === method).length;
    return was === is ? [] : [`${method}: requested ${is} times, recorded: ${was} times`];
  });
}

function describe(response: WireMessage | undefined): string {
  if (response === undefined) return 'no answer';
  if (response.isError) return `error ${errorCode(response) ?? 'without a code'}`;
  const telling = TELLING_MEMBERS.filter((name) => at(response.result, name) !== undefined);
  const members = telling.map((name) => `${name} ${JSON.stringify(at(response.result, name))}`);
  return ['a result', ...members].join(' with ');
}
