import type { ConnectionState, SignalboxClient } from '@signalbox/client';
import { errorText, timeText } from './content/texts.ts';
import { button, element, setText } from './dom/element.ts';

/** Tells how the connection to the server is, and what can be done about it. */
export class ConnectionLine {
  readonly node = element('div', { class: 'connection' });
  readonly #text = element('span', { attributes: { role: 'status' } });
  readonly #retry: HTMLButtonElement;
  readonly #signIn = element('a', { text: 'Sign in', attributes: { href: 'login' } });

  constructor(client: SignalboxClient) {
    this.#retry = button('Try now', () => client.wake());
    this.node.append(this.#text, this.#retry, this.#signIn);
    client.subscribe((state) => this.#show(state));
    this.#show(client.state);
  }

  #show(state: ConnectionState): void {
    this.node.dataset['state'] = state.kind;
    this.node.dataset['door'] = 'door' in state ? state.door : '';
    this.#retry.hidden = state.kind !== 'waiting';
    this.#signIn.hidden = !(state.kind === 'failed' && state.error.code === 'unauthorized');
    setText(this.#text, stateText(state));
  }
}

function stateText(state: ConnectionState): string {
  switch (state.kind) {
    case 'connecting':
      return 'Connecting…';
    case 'online':
      return state.door === 'websocket' ? 'Connected' : `Connected (${state.door})`;
    case 'waiting': {
      const time = timeText(state.retryAt, Date.now());
      return `No connection (${errorText(state.reason)}). Next try at ${time}.`;
    }
    case 'failed':
      return `No connection: ${errorText(state.error)}`;
    case 'closed':
      return 'Closed';
  }
}
