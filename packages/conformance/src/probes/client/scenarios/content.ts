import type { JsonObject } from '../../../json/json.ts';
import { END_TURN, type Scenario } from '../scenario.ts';
import { chunk, type ScriptedAgent } from '../scripted-agent.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Updates of every kind, known and unknown, well-formed and not. */
export const CONTENT_SCENARIOS: readonly Scenario[] = [
  survives(
    'an update of an unknown kind',
    ['R-CHK-12'],
    [{ sessionUpdate: 'future_thing', data: { a: 1 } }],
  ),
  survives(
    'updates that do not fit',
    ['R-FRM-25'],
    [
      {
        sessionUpdate: 'plan',
        entries: [{ content: 'good', priority: 'high', status: 'pending' }, { content: 5 }],
      },
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'm',
        title: 'Malformed',
        locations: 'x',
        content: [5],
      },
      { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'a' }, 7] },
      { sessionUpdate: 'agent_message_chunk', content: [] },
    ],
  ),
  survives(
    'tool calls of unknown kind and status',
    ['R-TOOL-06', 'R-TOOL-11'],
    [
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'k',
        title: 'Deploy',
        kind: 'deploy',
        status: 'running',
      },
      { sessionUpdate: 'tool_call_update', toolCallId: 'never-reported', status: 'completed' },
    ],
  ),
  survives(
    'blocks that no prompt may hold',
    ['R-CNT-04', 'R-CNT-06', 'R-CNT-07'],
    [
      {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'image', data: PIXEL, mimeType: 'image/png' },
      },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'future_block', data: {} } },
      chunk('annotated', {
        content: { type: 'text', text: 'x', annotations: { audience: ['user'], priority: 1 } },
      }),
    ],
  ),
  survives(
    'unusual use of context',
    ['R-USG-05'],
    [
      { sessionUpdate: 'usage_update', used: 300_000, size: 200_000 },
      {
        sessionUpdate: 'usage_update',
        used: 5,
        size: 1_000_000,
        cost: { amount: 0.1, currency: 'credits' },
      },
    ],
  ),
  survives(
    'notices of every severity',
    ['R-NOT-04'],
    [
      { sessionUpdate: 'notice', severity: 'error', title: 'An error that ends nothing' },
      { sessionUpdate: 'notice', severity: '_kit', title: 'Custom' },
    ],
  ),
  survives(
    'compaction that goes its own way',
    ['R-CMP-05', 'R-CMP-07'],
    [
      {
        sessionUpdate: 'compaction_summary_chunk',
        compactionId: 'c',
        content: { type: 'text', text: 'x' },
      },
      {
        sessionUpdate: 'compaction_update',
        compactionId: 'c',
        status: 'kit_unknown',
        summary: null,
      },
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed', summary: [] },
    ],
  ),
  survives(
    'unusual message ids',
    ['R-CHK-07'],
    [
      chunk('a', { messageId: '' }),
      chunk('b', { messageId: '9007199254740993' }),
      chunk('c', { messageId: 'ß'.repeat(300) }),
    ],
  ),
  survives(
    'an echo of the prompt',
    ['R-CHK-10'],
    [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'the prompt' } }],
  ),
  survives(
    'a mode that changes by itself',
    ['R-MOD-07'],
    [{ sessionUpdate: 'current_mode_update', currentModeId: 'kit-other' }],
  ),
  {
    name: 'options of unknown type and category',
    ids: ['R-CFG-07', 'R-CFG-15'],
    blame: ['R-CFG-07'],
    isHostile: true,
    session: {
      configOptions: [
        { id: 'slide', name: 'Slide', type: 'slider', currentValue: 5 },
        option('one', 'kit_unknown'),
        option('two', undefined),
      ],
    },
    async play(agent) {
      const { text } = await agent.ping();
      agent.pass('R-CFG-07', 'an option of unknown type does no harm', text);
      agent.pass('R-CFG-15', 'unknown and missing categories do no harm', text);
      return END_TURN;
    },
  },
  {
    name: 'thoughts between the words',
    ids: ['R-CHK-13'],
    shown: { id: 'R-CHK-13', texts: ['kit-word'] },
    async play(agent) {
      await agent.update({
        sessionUpdate: 'agent_thought_chunk',
        content: { type: 'text', text: 'kit-thought' },
      });
      await agent.say('kit-word');
      return END_TURN;
    },
  },
];

/** Sends updates and proves by a request that the client is still there. */
function survives(name: string, ids: readonly string[], updates: readonly JsonObject[]): Scenario {
  return {
    name,
    ids,
    blame: ids.slice(0, 1),
    isHostile: true,
    play: async (agent: ScriptedAgent) => {
      for (const update of updates) await agent.update(update);
      const { text } = await agent.ping();
      for (const id of ids) agent.pass(id, `the connection goes on after ${name}`, text);
      return END_TURN;
    },
  };
}

function option(id: string, category: string | undefined): JsonObject {
  return {
    id,
    name: id,
    type: 'select',
    currentValue: 'a',
    options: [{ value: 'a', name: 'A' }],
    ...(category === undefined ? {} : { category }),
  };
}
