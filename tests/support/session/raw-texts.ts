import { RawJson } from '@signalbox/acp';

/** JSON that does not survive being decoded and encoded again. */
export const DELICATE_VALUES: readonly string[] = [
  '9007199254740993',
  '-0',
  '1e400',
  '1.10',
  '1E2',
  '"\\u00e9\\/\\ud83d\\ude00"',
  '"é😀"',
  '"\\ud800"',
  '{"b":1,"a":2,"2":0,"1":0}',
  '{"a":1,"a":2}',
  '{ "spaced" : [ 1 , 2 ] }',
  '{"__proto__":{"x":1}}',
  'null',
  'true',
  '""',
];

/** An update that announces a tool call with delicate arguments. */
export function delicateToolCall(toolCallId: string, value: string): RawJson {
  const id = JSON.stringify(toolCallId);
  return new RawJson(
    `{"sessionUpdate":"tool_call","toolCallId":${id},"title":"t","rawInput":${value},` +
      `"rawOutput":[${value}],"_meta":{"x":${value}}}`,
  );
}

/** An update of a kind that nobody knows. */
export function delicateUnknown(value: string): RawJson {
  return new RawJson(`{"sessionUpdate":"quantum_update","state":${value}}`);
}

/** What a permission request says about its tool call. */
export function delicateRequest(toolCallId: string, value: string): RawJson {
  const id = JSON.stringify(toolCallId);
  return new RawJson(`{"toolCallId":${id},"title":5,"rawInput":${value},"kind":"teleport"}`);
}
