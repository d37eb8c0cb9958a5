import { once } from 'node:events';
import type { RemoteSessionEvent } from '@signalbox/client';
import type { SessionEvent } from '@signalbox/core';
import { chooseStyle } from '../../render/style.ts';
import { TextRenderer } from '../../render/text-renderer.ts';

/** What the terminal shows of a session. */
export class Screen {
  readonly style = chooseStyle(process.stdout);
  readonly #renderer = new TextRenderer((text) => process.stdout.write(text), this.style, {
    showPrompts: true,
  });

  /** Shows an event of the log. Resolves when the terminal takes more. */
  async show(event: SessionEvent): Promise<void> {
    this.#renderer.render(event);
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }

  /** Shows a text in lines of its own. */
  print(text: string): void {
    this.#renderer.endLine();
    process.stdout.write(text);
  }

  /** Says what happens to the connection. */
  onConnection({ type }: RemoteSessionEvent): void {
    if (type === 'detached') this.notice('Disconnected; it is tried again.');
    else if (type === 'attached') this.notice('Connected.');
    else if (type === 'gap') this.notice('Events are missing; the session stands as below.');
  }

  notice(text: string): void {
    this.#renderer.endLine();
    process.stderr.write(`${this.style.dim(text)}\n`);
  }
}
