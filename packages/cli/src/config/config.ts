import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PolicyLevel } from '@signalbox/core';
import { UsageError } from '../usage-error.ts';
import { validateConfig } from './config-validator.gen.ts';

/** An agent of the user's own. */
export interface ConfiguredAgent {
  readonly title?: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables to pass on; a trailing `*` stands for any ending. */
  readonly passEnv?: readonly string[];
  readonly startTimeoutMs?: number;
}

/** The user's configuration; `config.schema.json` describes each member. */
export interface Config {
  readonly defaultAgent?: string;
  readonly agents?: Readonly<Record<string, ConfiguredAgent>>;
  readonly permissions?: PolicyLevel;
  readonly permissionTimeoutMs?: number;
  readonly cancelGraceMs?: number;
  readonly settleMs?: number;
  readonly settleMaxMs?: number;
  readonly turnIdleMs?: number;
  readonly hibernateAfterMs?: number;
  readonly endUnusedAfterMs?: number;
  readonly unusedAgentsMax?: number;
  readonly dataDir?: string;
  readonly durability?: 'power' | 'process';
}

/**
 * Where the configuration is read from. Only from the user's own folder, never from the repository that
 * is worked on: a repository is not trusted to say which programs to start.
 */
export function configFile(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['SIGNALBOX_CONFIG'];
  if (named !== undefined && named !== '') return resolve(named);
  const base = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(base, 'signalbox', 'config.json');
}

/** Where sessions are stored unless the configuration says otherwise. */
export function dataFolder(config: Config, environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['SIGNALBOX_DATA'] || config.dataDir;
  if (named !== undefined && named !== '') return resolve(named);
  const base = environment['XDG_DATA_HOME'] || join(homedir(), '.local', 'share');
  return join(base, 'signalbox');
}

/** What the configuration may say. */
export const SCHEMA_FILE = fileURLToPath(new URL('../../config.schema.json', import.meta.url));

/**
 * Reads the configuration; a missing file is an empty one.
 *
 * @throws UsageError that names the file and the member that is wrong.
 */
export function loadConfig(file: string = configFile()): Config {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  let config: unknown;
  try {
    // Some editors begin a file with a mark of its encoding.
    config = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (validateConfig(config)) return config as Config;
  const [problem] = validateConfig.errors ?? [];
  const path = problem?.instancePath === '' ? 'the whole' : problem?.instancePath;
  const name = problem?.propertyName;
  const where = name === undefined ? path : `${path}: the name ${JSON.stringify(name)}`;
  const what = toWords(problem?.params ?? {}) ?? problem?.message;
  throw new UsageError(`${file}: ${where} ${what}\n${SCHEMA_FILE} says what there is.`);
}

/** What a validator says by its parameters rather than by its words; undefined when its words say everything. */
function toWords({
  additionalProperty,
  allowedValues,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof additionalProperty === 'string') return `has no member "${additionalProperty}"`;
  if (!Array.isArray(allowedValues)) return undefined;
  return `must be one of ${allowedValues.map((value) => JSON.stringify(value)).join(', ')}`;
}
