import {
  toPieces,
  type Answer,
  type ModelRequest,
  type ToolCall,
  type Turn,
} from './conversation.ts';
import { parseScript, type Script } from './script.ts';

/** Text that agents put around what their user typed. */
const INJECTED =
  /<(system-reminder|environment_context|environment_details|session_context|user_instructions|permissions instructions|skills_instructions|collaboration_mode|current_datetime|reminder|context|local-command-caveat|local-command-stdout|command-name|command-message|command-args)\b[^>]*>[\s\S]*?<\/\1>/g;
const INTERRUPTED = /\[Request interrupted by user[^\]]*\]/g;

/** What a user typed, without what their agent put around it. */
export function stripInjected(text: string): string {
  return text.replace(INJECTED, '').replace(INTERRUPTED, '').trim();
}

/**
 * Decides the answer to a conversation by the directives in its last prompt. Each tool call of the prompt
 * is one model turn; behind the last one comes `done: …` with the beginning of its result.
 */
export function decide({ turns, tools }: ModelRequest): Answer {
  const at = turns.findLastIndex((turn) => turn.kind === 'user' && stripInjected(turn.text) !== '');
  const prompt = turns[at];
  const script = parseScript(prompt?.kind === 'user' ? stripInjected(prompt.text) : '');
  const results = turns.slice(at + 1).filter((turn) => turn.kind === 'result');
  const isFirst = results.length === 0;
  if (isFirst && script.errorStatus !== undefined) {
    return { ...answerOf(''), errorStatus: script.errorStatus };
  }
  const think = isFirst && script.think !== undefined ? { think: script.think } : {};
  return { ...contentOf(script, results, tools), ...think };
}

function contentOf(
  script: Script,
  results: readonly Extract<Turn, { kind: 'result' }>[],
  tools: ModelRequest['tools'],
): Answer {
  const call = script.calls[results.length];
  // A request without tools is for something else, such as a title for the session.
  if (call !== undefined && tools.size > 0) return answerWithCall(call, tools);
  const last = results.at(-1);
  if (last !== undefined) return answerOf(`done: ${last.text.slice(0, 300)}`);
  const { slow, say, plain, finish } = script;
  if (slow !== undefined) {
    const pieces = Array.from(
      { length: slow.count },
      (_, index) => `piece ${index + 1} of ${slow.count}. `,
    );
    return { finish: 'stop', pieces, calls: [], gapMs: slow.gapMs };
  }
  const refusal = finish === 'refuse' ? 'I cannot help with that.' : undefined;
  return { ...answerOf(say ?? refusal ?? `You said: ${plain.slice(0, 200)}`), finish };
}

function answerWithCall(call: ToolCall, tools: ModelRequest['tools']): Answer {
  if (tools.has(call.name)) return { finish: 'tool', pieces: [], calls: [call], gapMs: 0 };
  const offered = [...tools.keys()].sort().join(', ');
  return answerOf(`tool not offered: ${call.name}; offered: ${offered}`);
}

function answerOf(text: string): Answer {
  return { finish: 'stop', pieces: toPieces(text), calls: [], gapMs: 0 };
}
