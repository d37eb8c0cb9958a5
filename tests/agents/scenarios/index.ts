import type { ScenarioName } from '../scenario-names.ts';
import { error, plan, text, thoughts } from './answers.ts';
import { cancel } from './cancelling.ts';
import { end } from './ending.ts';
import { create, edit } from './files.ts';
import { reject, tool } from './permissions.ts';
import { resume } from './resuming.ts';
import type { Scenario } from './scenario.ts';

/** Every scenario by its name. */
export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  text,
  tool,
  reject,
  cancel,
  edit,
  create,
  thoughts,
  plan,
  error,
  resume,
  end,
};
