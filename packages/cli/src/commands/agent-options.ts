import type { PolicyLevel } from '@signalbox/core';
import type { Config } from '../config/config.ts';
import { UsageError } from '../usage-error.ts';

/** The options by which a command says who answers permission requests. */
export interface LevelOptions {
  readonly yes?: boolean;
  readonly deny?: boolean;
  readonly ask?: boolean;
}

/** @throws UsageError when the options contradict each other. */
export function chooseLevel(options: LevelOptions, config: Config): PolicyLevel {
  const named = [options.yes, options.deny, options.ask].filter((given) => given === true);
  if (named.length > 1) throw new UsageError('Give only one of --yes, --deny and --ask');
  if (options.yes === true) return 'allow';
  if (options.deny === true) return 'deny';
  return options.ask === true ? 'ask' : (config.permissions ?? 'ask');
}

/** `NAME=value` sets a variable for the agent, `NAME` passes the caller's on. @throws UsageError. */
export function toEnvironment(entries: readonly string[]): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const entry of entries) {
    const at = entry.indexOf('=');
    const name = at < 0 ? entry : entry.slice(0, at);
    const value = at < 0 ? process.env[name] : entry.slice(at + 1);
    if (name === '') throw new UsageError(`--env ${entry}: there is no name`);
    if (value === undefined) throw new UsageError(`--env ${name}: there is no such variable`);
    environment[name] = value;
  }
  return environment;
}
