import { RawJson } from '@signalbox/acp';
import type { SessionEvent } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { PLAIN } from './style.ts';
import { TextRenderer } from './text-renderer.ts';

type Kind = 'agent_message_chunk' | 'agent_thought_chunk';

function chunk(
  text: string,
  sessionUpdate: Kind = 'agent_message_chunk',
  messageId?: string | null,
): SessionEvent {
  const content = { type: 'text', text };
  const update = new RawJson(JSON.stringify({ sessionUpdate, content, messageId }));
  return { type: 'update', time: 0, data: { v: 1, update } };
}

/** What is written, as the terminal gets it: each write is encoded by itself. */
function render(...events: SessionEvent[]): string {
  const written: Buffer[] = [];
  const write = (text: string): void => void written.push(Buffer.from(text));
  const renderer = new TextRenderer(write, PLAIN, { showPrompts: false });
  for (const event of events) renderer.render(event);
  renderer.endLine();
  return Buffer.concat(written).toString();
}

describe('text that comes in chunks', () => {
  it('is whole, also where the agent has cut a character', () => {
    for (let cut = 0; cut <= 'a😀b'.length; cut++) {
      const [first, second] = ['a😀b'.slice(0, cut), 'a😀b'.slice(cut)];
      expect(render(chunk(first), chunk(second))).toBe('a😀b\n');
    }
    expect(render(...'😀😀'.split('').map((half) => chunk(half)))).toBe('😀😀\n');
  });

  it('begins a line for each message, and goes on in it for each chunk', () => {
    const say = (text: string, id?: string | null) => chunk(text, 'agent_message_chunk', id);
    const think = chunk('hm', 'agent_thought_chunk');
    expect(render(say('a', '1'), say('b', '1'), say('c', '2'), say('d\n', '2'))).toBe('ab\ncd\n');
    expect(render(say('a', '1'), think, say('b', '1'), say('c'), say('d', null))).toBe(
      'a\nhm\nb\ncd\n',
    );
  });

  it('shows that a half is missing whose rest never comes', () => {
    const [half = ''] = '😀'.split('');
    expect(render(chunk(`a${half}`))).toBe('a\ufffd\n');
    expect(render(chunk(half), chunk('b', 'agent_thought_chunk'))).toBe('\ufffd\nb\n');
    expect(render(chunk(half), chunk('b'))).toBe('\ufffdb\n');
  });
});
