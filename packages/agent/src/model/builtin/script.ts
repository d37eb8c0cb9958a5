import { isRefusal } from '../../workspace/workspace.ts';
import { parsePlan, PLAN_SPEC } from '../../tools/plan.ts';
import type { PlannedCall, Program, Step } from './program.ts';

/** A step of a script, checked. A plan goes along with the tools that follow it. */
export type ScriptStep = Step | { readonly kind: 'plan'; readonly call: PlannedCall };

const REPEAT_MAX = 1_000_000;
const FENCE = /^```signalbox-script[^\S\n]*\n([\s\S]*?)^```[^\S\n]*$/m;

/** The text of the script in a prompt, if there is one. */
export function findScript(prompt: string): string | undefined {
  return FENCE.exec(prompt)?.[1];
}

/** Checks a script. The problem names the step, counted from 1. */
export function parseScript(
  text: string,
): { readonly steps: readonly ScriptStep[] } | { readonly problem: string } {
  let script: unknown;
  try {
    script = JSON.parse(text);
  } catch (error) {
    return { problem: `it is not JSON (${(error as Error).message})` };
  }
  if (!Array.isArray(script)) return { problem: 'it must be a list of steps' };
  const steps: ScriptStep[] = [];
  for (const [index, value] of (script as readonly unknown[]).entries()) {
    const step = parseStep(value);
    if (typeof step === 'string') return { problem: `step ${index + 1}: ${step}` };
    steps.push(step);
  }
  return { steps };
}

/** Takes the steps in order. Every `tool` or `tools` step ends an answer of the model. */
export function* runScript(steps: readonly ScriptStep[]): Program {
  let plans: PlannedCall[] = [];
  for (const step of steps) {
    if (step.kind === 'plan') {
      plans.push(step.call);
    } else if (step.kind === 'call') {
      yield { kind: 'call', calls: [...plans, ...step.calls] };
      plans = [];
    } else {
      if (plans.length > 0) yield { kind: 'call', calls: plans };
      plans = [];
      yield step;
    }
  }
  if (plans.length > 0) yield { kind: 'call', calls: plans };
}

type Members = Readonly<Record<string, unknown>>;

/** The step, or what is wrong with it. */
function parseStep(value: unknown): ScriptStep | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'it must be an object';
  }
  const members = value as Members;
  const [verb, rule] = Object.entries(VERBS).find(([name]) => Object.hasOwn(members, name)) ?? [];
  if (verb === undefined || rule === undefined) {
    return `it has none of ${Object.keys(VERBS).join(', ')}`;
  }
  const odd = Object.keys(members).find((name) => name !== verb && !rule.others.includes(name));
  if (odd !== undefined) return `"${odd}" does not belong to a "${verb}" step`;
  return rule.parse(members);
}

interface Verb {
  readonly others: readonly string[];
  readonly parse: (members: Members) => ScriptStep | string;
}

const VERBS: Readonly<Record<string, Verb>> = {
  say: { others: ['repeat'], parse: (members) => parseSpeech('say', members) },
  think: { others: ['repeat'], parse: (members) => parseSpeech('think', members) },
  plan: { others: [], parse: parsePlanStep },
  tools: { others: [], parse: parseToolsStep },
  tool: {
    others: ['input'],
    parse: (members) => {
      const call = parseCall(members);
      return typeof call === 'string' ? call : { kind: 'call', calls: [call] };
    },
  },
  stop: {
    others: [],
    parse: ({ stop }) =>
      stop === 'refusal' || stop === 'length'
        ? { kind: 'stop', reason: stop }
        : '"stop" must be "refusal" or "length"',
  },
  error: {
    others: [],
    parse: ({ error }) =>
      typeof error === 'string' ? { kind: 'fail', message: error } : '"error" must be a string',
  },
  wait: {
    others: [],
    parse: ({ wait }) => (wait === true ? { kind: 'wait' } : '"wait" must be true'),
  },
};

function parseSpeech(kind: 'say' | 'think', members: Members): ScriptStep | string {
  const { [kind]: text, repeat } = members;
  if (typeof text !== 'string') return `"${kind}" must be a string`;
  if (repeat === undefined) return { kind, text };
  if (!Number.isSafeInteger(repeat) || (repeat as number) < 1 || (repeat as number) > REPEAT_MAX) {
    return `"repeat" must be a whole number from 1 to ${REPEAT_MAX}`;
  }
  return { kind, text, repeat: repeat as number };
}

function parsePlanStep({ plan }: Members): ScriptStep | string {
  const entries = parsePlan({ entries: plan });
  if (isRefusal(entries)) return `"plan": ${entries.refused}`;
  return { kind: 'plan', call: { name: PLAN_SPEC.name, input: { entries } } };
}

function parseToolsStep({ tools }: Members): ScriptStep | string {
  if (!Array.isArray(tools) || tools.length === 0) return '"tools" must be a list of tool calls';
  const calls: PlannedCall[] = [];
  for (const tool of tools as readonly unknown[]) {
    if (typeof tool !== 'object' || tool === null) return '"tools" holds something else';
    const call = parseCall(tool as Members);
    if (typeof call === 'string') return call;
    calls.push(call);
  }
  return { kind: 'call', calls };
}

function parseCall({ tool, input }: Members): PlannedCall | string {
  if (typeof tool !== 'string') return '"tool" must be the name of a tool';
  // Whether the tool exists and the input fits is for the tool to say, as with any model.
  return { name: tool, input: input ?? {} };
}
