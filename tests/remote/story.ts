import type { PermissionOption } from '@signalbox/acp';
import type { Random } from './random.ts';

/** One thing that an agent does in a turn; also a step of the scripted agent. */
export type Step =
  /** Sends a `session/update`: its exact text. */
  | { readonly update: string }
  /** Asks for leave, and says what it was told. */
  | { readonly ask: { readonly toolCall: object; readonly options: readonly object[] } }
  /** Waits, in ms. */
  | { readonly pause: number };

/** Texts with characters of one to four bytes, and with what has to be escaped in JSON. */
const TEXTS = ['plain', 'Grüße', '東京', '👩🏽‍🚀 und 𝒳', 'a "quoted" \\ line\nand another\u2028'];

/** What an agent offers when it asks for leave. */
export const OPTIONS: readonly [PermissionOption, PermissionOption] = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/** Everything that an agent can send, in a fixed order: about 40 updates with one question in their midst. */
export function wholeStory(): Step[] {
  const steps: Step[] = [];
  for (let n = 1; n <= 30; n++) {
    steps.push(chunk(n));
    if (n % 3 === 0) steps.push(oddity(n / 3));
    if (n === 15) steps.push(question('call'));
  }
  return steps;
}

/** A story of updates alone. */
export function plainStory(): Step[] {
  return Array.from({ length: 12 }, (_, n) => (n % 3 === 2 ? oddity(n) : chunk(n)));
}

/** The shortest story that has a question in it. */
export function shortStory(): Step[] {
  return [chunk(1), question('call'), chunk(2)];
}

/** A story of so many steps, different for each seed. @param asks how often it asks for leave. */
export function randomStory(random: Random, length: number, asks: number): Step[] {
  const steps = Array.from({ length }, (_, n) =>
    random.chance(0.7) ? chunk(n) : oddity(random.below(8)),
  );
  for (let ask = 0; ask < asks; ask++) {
    steps.splice(random.below(steps.length + 1), 0, question(`call-${ask}-${random.below(1e6)}`));
  }
  return steps;
}

/** The text of a prompt that makes the scripted agent do it. */
export function toPrompt(steps: readonly Step[]): string {
  return JSON.stringify(steps);
}

function chunk(n: number): Step {
  const text = `${n} ${TEXTS[n % TEXTS.length]} `;
  return json({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}

function oddity(n: number): Step {
  const toolCallId = `tool-${n >> 3}`;
  switch (n & 7) {
    case 0:
      return json({ sessionUpdate: 'tool_call', toolCallId, title: TEXTS[n % 5], kind: 'read' });
    case 1:
      return json({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    case 2:
      return json({
        sessionUpdate: 'plan',
        entries: [{ content: `step ${n}`, priority: 'high', status: 'pending' }],
      });
    case 3:
      return json({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: '…' } });
    case 4:
      // Numbers that no double holds, and a kind that this version does not know (B77).
      return { update: `{"sessionUpdate":"quantum_update","n":${n},"big":12345678901234567890}` };
    case 5:
      return json({ sessionUpdate: 'usage_update', used: n, size: 200_000 });
    case 6:
      return {
        update: `{"sessionUpdate":"tool_call","toolCallId":"raw-${n}","title":"x","rawInput":{"id":9007199254740993}}`,
      };
    default:
      return json({ sessionUpdate: 'current_mode_update', currentModeId: `mode-${n}` });
  }
}

function question(toolCallId: string): Step {
  return {
    ask: { toolCall: { toolCallId, title: 'Remove it', kind: 'delete' }, options: OPTIONS },
  };
}

function json(update: object): Step {
  return { update: JSON.stringify(update) };
}
