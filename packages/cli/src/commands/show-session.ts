import {
  decodeEvent,
  INITIAL_STATE,
  reduce,
  type SessionId,
  toPrintableLine,
} from '@signalbox/core';
import type { Host } from '@signalbox/host';
import { chooseStyle } from '../render/style.ts';
import { TextRenderer } from '../render/text-renderer.ts';

/** Events read at a time. */
const PAGE_LENGTH = 256;

/** Shows a whole session as it would have been seen live, with its prompts. */
export async function showSession(
  host: Host,
  sessionId: SessionId,
  output: NodeJS.WriteStream,
): Promise<void> {
  const style = chooseStyle(output);
  const renderer = new TextRenderer((text) => output.write(text), style, { showPrompts: true });
  let state = INITIAL_STATE;
  let seq = 0;
  for (;;) {
    const page = await host.readLog(sessionId, seq, PAGE_LENGTH);
    for (const entry of page) {
      const event = decodeEvent(entry.body);
      state = reduce(state, event);
      if (event.type === 'session.created') {
        const { agent, cwd } = event.data;
        output.write(`${style.bold(sessionId)}  ${toPrintableLine(agent)}\n`);
        output.write(style.dim(`${toPrintableLine(cwd)}\n`));
      }
      renderer.render(event);
      seq = entry.seq;
    }
    if (page.length === 0) break;
  }
  renderer.endLine();
}
