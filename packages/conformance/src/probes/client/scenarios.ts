import type { Scenario } from './scenario.ts';
import { CONTENT_SCENARIOS } from './scenarios/content.ts';
import { ELICITATION_SCENARIOS } from './scenarios/elicitation.ts';
import { FILE_SCENARIOS } from './scenarios/files.ts';
import { HTTP_SCENARIOS } from './scenarios/http.ts';
import { LIFECYCLE_SCENARIOS } from './scenarios/lifecycle.ts';
import { LINE_SCENARIOS } from './scenarios/lines.ts';
import { PERMISSION_SCENARIOS } from './scenarios/permissions.ts';
import { TERMINAL_SCENARIOS } from './scenarios/terminals.ts';
import { TURN_SCENARIOS } from './scenarios/turns.ts';
import { WEBSOCKET_SCENARIOS } from './scenarios/websocket.ts';

/** Every scenario; the first one shows whether the client can be driven at all. */
export const CLIENT_SCENARIOS: readonly Scenario[] = [
  ...TURN_SCENARIOS,
  ...LIFECYCLE_SCENARIOS,
  ...LINE_SCENARIOS,
  ...PERMISSION_SCENARIOS,
  ...CONTENT_SCENARIOS,
  ...FILE_SCENARIOS,
  ...TERMINAL_SCENARIOS,
  ...ELICITATION_SCENARIOS,
  ...HTTP_SCENARIOS,
  ...WEBSOCKET_SCENARIOS,
];

/** The scenario of this name; undefined if there is none. */
export function findScenario(name: string): Scenario | undefined {
  return CLIENT_SCENARIOS.find((scenario) => scenario.name === name);
}
