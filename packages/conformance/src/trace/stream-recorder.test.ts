import { describe, expect, it } from 'vitest';
import { StreamRecorder } from './stream-recorder.ts';
import { parseTrace } from './trace-file.ts';

function create(lineBytesMax?: number): { recorder: StreamRecorder; written: () => string } {
  let text = '';
  const recorder = new StreamRecorder({
    write: (lines) => (text += lines),
    now: () => 0,
    ...(lineBytesMax === undefined ? {} : { lineBytesMax }),
  });
  return { recorder, written: () => text };
}

describe('StreamRecorder', () => {
  it('writes a line as soon as it is whole, and nothing before', () => {
    const { recorder, written } = create();
    recorder.push('c2a', Buffer.from('{"a":'));
    expect(written()).toBe('');
    recorder.push('c2a', Buffer.from('1}\n{'));
    expect(written()).toBe('{"dir":"c2a","t":0,"msg":{"a":1}}\n');
  });

  it('keeps the two directions apart', () => {
    const { recorder, written } = create();
    recorder.push('c2a', Buffer.from('{"a"'));
    recorder.push('a2c', Buffer.from('{}\n'));
    recorder.push('c2a', Buffer.from(':1}\n'));
    expect(parseTrace(written()).map(({ dir, text }) => `${dir} ${text}`)).toEqual([
      'a2c {}',
      'c2a {"a":1}',
    ]);
  });

  it('writes what is unfinished at the end as cut', () => {
    const { recorder, written } = create();
    recorder.push('a2c', Buffer.from('{"ha'));
    recorder.end('a2c');
    recorder.end('a2c');
    expect(parseTrace(written())).toEqual([{ dir: 'a2c', t: 0, text: '{"ha', isCut: true }]);
  });

  it('writes a line without end in pieces, so that it does not fill the memory', () => {
    const { recorder, written } = create(8);
    for (const piece of ['{"text":', '"ab', 'cd', 'ef', '"}\n{}\n']) {
      recorder.push('a2c', Buffer.from(piece));
    }
    const entries = parseTrace(written());
    expect(entries.map(({ text }) => text)).toEqual(['{"text":', '"abcdef"}', '{}']);
    expect(entries.map(({ isCut }) => isCut)).toEqual([true, undefined, undefined]);
  });
});
