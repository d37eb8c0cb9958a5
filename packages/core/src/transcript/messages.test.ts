import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RawJson } from '@signalbox/acp';
import { turnId } from '../../../../tests/support/session/inputs.ts';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';
import { entriesOf, show } from '../../../../tests/support/transcript/show.ts';
import { turnText } from './turn-text.ts';

let log: LogWriter;
beforeEach(() => (log = new LogWriter()));
// Whatever is shown live is shown after a reload too.
afterEach(() => expect(log.rebuilt()).toEqual(log.transcript));

describe('messages', () => {
  test('end where the id or the role changes or a tool comes, and nowhere else', () => {
    log.start('T', 'go').say('a', 'id1').say('b', 'id1').think('hm').say('c', 'id1').call('t');
    log.say('d').say('e').say('f').update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
    log.say('g');
    expect(show(log.transcript)).toEqual([
      'user: go',
      'agent: ab',
      'thought: hm',
      'agent: c',
      'tool t: Run other pending',
      'agent: defg',
    ]);
  });

  test.for([
    { name: 'another id', between: (l: LogWriter) => l.say('x', 'id2'), count: 3 },
    { name: 'no id any more', between: (l: LogWriter) => l.say('x'), count: 3 },
    { name: 'the same id', between: (l: LogWriter) => l.say('x', 'id1'), count: 1 },
    { name: 'a thought', between: (l: LogWriter) => l.think('x'), count: 2 },
    { name: 'a tool call', between: (l: LogWriter) => l.call('t'), count: 2 },
    {
      name: 'a plan',
      between: (l: LogWriter) => l.update({ sessionUpdate: 'plan', entries: [] }),
      count: 2,
    },
    {
      name: 'a mode change',
      between: (l: LogWriter) =>
        l.update({ sessionUpdate: 'current_mode_update', currentModeId: 'm' }),
      count: 1,
    },
    {
      name: 'an unknown update',
      between: (l: LogWriter) => l.update({ sessionUpdate: 'quantum_update' }),
      count: 1,
    },
    {
      name: 'a notice',
      between: (l: LogWriter) =>
        l.update({ sessionUpdate: 'notice', severity: 'info', title: 'hi' }),
      count: 1,
    },
    {
      name: 'an update that does not fit',
      between: (l: LogWriter) => l.update({ sessionUpdate: 'plan' }, 'no entries'),
      count: 1,
    },
  ])('with an id: $name in between gives $count', ({ between, count }) => {
    log.start('T').say('a', 'id1');
    between(log).say('b', 'id1');
    expect(entriesOf(log.transcript, 'agent_message')).toHaveLength(count);
  });

  test('without an id end at news about a tool, with an id they do not', () => {
    log.start('T').call('t').say('a').callUpdate('t', { status: 'completed' }).say('b');
    log.call('u').say('c', 'id').callUpdate('u', { status: 'completed' }).say('d', 'id');
    expect(entriesOf(log.transcript, 'agent_message').map(({ blocks }) => blocks)).toEqual([
      [{ type: 'text', text: 'a' }],
      [{ type: 'text', text: 'b' }],
      [{ type: 'text', text: 'cd' }],
    ]);
  });

  test('take an id that is null for none', () => {
    log.start('T').say('a', null).say('b');
    expect(show(log.transcript).at(-1)).toBe('agent: ab');
  });

  test('keep white space exactly, and show none that stands alone', () => {
    log.start('T', 'go').say('foo').say(' ').say('\n\n').say('bar').call('t').say('\n');
    log.think(' ').call('u').say('\n ').say('\tbaz').end();
    expect(show(log.transcript)).toEqual([
      'user: go',
      'agent: foo \n\nbar',
      'tool t: Run other interrupted (turn_ended)',
      'tool u: Run other interrupted (turn_ended)',
      'agent: \n \tbaz',
      'end: end_turn',
    ]);
  });

  test('begin where their first white space came, once there is something to see', () => {
    log.start('T').say('\n').say('x');
    expect(log.transcript.entries.at(-1)).toMatchObject({ firstSeq: 2, lastSeq: 3 });
  });

  test('of different turns stay apart, and so do those outside of any turn', () => {
    log.start('T1').say('a').end().say('late').say('r').start('T2').say('b').end();
    expect(entriesOf(log.transcript, 'agent_message')).toMatchObject([
      { turnId: 'T1', blocks: [{ text: 'a' }] },
      { blocks: [{ text: 'later' }] },
      { turnId: 'T2', blocks: [{ text: 'b' }] },
    ]);
    expect(entriesOf(log.transcript, 'agent_message')[1]).not.toHaveProperty('turnId');
  });

  test('keep pictures, links and blocks of unknown types as they came', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const odd = { type: 'hologram', data: { deep: [1, null] } };
    log.start('T').say('see ').say('this');
    log.chunk('agent_message_chunk', image).chunk('agent_message_chunk', odd).say('!');
    expect(entriesOf(log.transcript, 'agent_message')[0]?.blocks).toEqual([
      { type: 'text', text: 'see this' },
      image,
      odd,
      { type: 'text', text: '!' },
    ]);
  });

  test('do not merge text that is annotated differently', () => {
    const forUser = { annotations: { audience: ['user'] } };
    log.start('T').say('a');
    log.chunk('agent_message_chunk', { type: 'text', text: 'b', ...forUser });
    log.chunk('agent_message_chunk', { type: 'text', text: 'c', ...forUser }).say('d');
    expect(show(log.transcript).at(-1)).toBe('agent: a|bc|d');
  });

  test('go on in a further entry when they have very many blocks', () => {
    log.start('T');
    for (let n = 0; n < 500; n++) log.chunk('agent_message_chunk', { type: 'odd', n }, 'id');
    const messages = entriesOf(log.transcript, 'agent_message');
    expect(messages.flatMap(({ blocks }) => blocks)).toHaveLength(500);
    expect(new Set(messages.map(({ messageId }) => messageId))).toEqual(new Set(['id']));
    expect(messages.length).toBeLessThan(10);
  });

  test('are never cut, so that no character is', () => {
    const text = '👩‍👩‍👧😀'.repeat(5000);
    log.start('T', text).say(text).call('t', { title: text });
    const units = [...text];
    for (const unit of units.slice(0, 100)) log.think(unit);
    expect(turnText(log.transcript, turnId('T'))).toBe(text);
    expect(show(log.transcript).every((shown) => shown.isWellFormed())).toBe(true);
    expect(entriesOf(log.transcript, 'thought')[0]?.blocks).toEqual([
      { type: 'text', text: units.slice(0, 100).join('') },
    ]);
  });
});

describe('a prompt that the agent repeats', () => {
  test.for([
    ['whole', ['fix the bug']],
    ['in two chunks', ['fix ', 'the bug']],
    ['letter by letter', [...'fix the bug']],
    ['twice', ['fix the bug', 'fix the bug']],
    ['without the white space around it', ['fix the', ' bug']],
    ['with white space around it', ['\n', ' fix the bug', '\n']],
    ['in part', ['fix the']],
  ] as const)('%s is there once', ([, chunks]) => {
    log.start('T', ' fix the bug\n').say('ok');
    for (const chunk of chunks) log.echo(chunk);
    log.say('done').end();
    expect(entriesOf(log.transcript, 'user_message')).toHaveLength(1);
  });

  test('is there once when the agent talks between its parts', () => {
    log.start('T', 'fix the bug').echo('fix ').say('reading').echo('the bug').end();
    expect(show(log.transcript)).toEqual(['user: fix the bug', 'agent: reading', 'end: end_turn']);
  });

  test('is there once with the pictures in it', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const content = new RawJson(JSON.stringify([{ type: 'text', text: 'see' }, image]));
    log.start('T', content).echo('see').chunk('user_message_chunk', image).end();
    expect(entriesOf(log.transcript, 'user_message')).toHaveLength(1);
  });

  test('is not taken for something else that the user is said to have said', () => {
    log.start('T', 'fix the bug').echo('fix the bug').echo('fix the ').echo('test').end();
    expect(entriesOf(log.transcript, 'user_message')).toMatchObject([
      { promptId: 'P-T', blocks: [{ text: 'fix the bug' }] },
      { blocks: [{ text: 'fix the test' }] },
    ]);
    expect(entriesOf(log.transcript, 'user_message')[1]).not.toHaveProperty('promptId');
  });

  test('does not hide what the user is said to have said outside of a turn', () => {
    log.start('T', 'go').end().echo('go');
    expect(entriesOf(log.transcript, 'user_message')).toHaveLength(2);
  });
});

describe('the text of a turn', () => {
  test('is what the agent said, without what it thought', () => {
    log.start('T').think('secret').say('Hel').think('secret').say('lo').end();
    expect(turnText(log.transcript, turnId('T'))).toBe('Hello');
  });

  test('sets messages apart that a tool or another id separates', () => {
    log.start('T').say('Let me see.').call('t').say('Done.').say('Bye.', 'id2').end();
    expect(turnText(log.transcript, turnId('T'))).toBe('Let me see.\n\nDone.\n\nBye.');
  });

  test('adds nothing where there is white space, and nothing within a message', () => {
    log.start('T').say('a\n').call('t').say('b', 'id').think('x').call('u').say('c', 'id').end();
    expect(turnText(log.transcript, turnId('T'))).toBe('a\nbc');
  });

  test('has no word from before, after or another turn', () => {
    log.say('OLD').start('T1').say('one').end().say('OLD').start('T2').say('two').end().say('OLD');
    expect(turnText(log.transcript, turnId('T1'))).toBe('one');
    expect(turnText(log.transcript, turnId('T2'))).toBe('two');
    expect(turnText(log.transcript, turnId('T3'))).toBe('');
  });

  test('grows while the turn runs', () => {
    log.start('T').say('a');
    expect(turnText(log.transcript, turnId('T'))).toBe('a');
    log.say('b');
    expect(turnText(log.transcript, turnId('T'))).toBe('ab');
  });
});
