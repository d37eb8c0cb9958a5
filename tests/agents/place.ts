import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { TestedAgent } from './tested-agent.ts';

const SET_UP_MS_MAX = 60_000;

/** A place of its own for one agent: a home with its settings, and folders to work in. */
export class Place {
  readonly home: string;
  /** The environment of whoever runs the agent: nothing of this machine but programs. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #folder: string;
  #workCount = 0;

  constructor(agent: TestedAgent, installFolder: string, url: string) {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-agent-')));
    this.home = join(this.#folder, 'home');
    mkdirSync(this.home);
    for (const [path, text] of Object.entries(agent.files?.(url) ?? {})) {
      mkdirSync(dirname(join(this.home, path)), { recursive: true });
      writeFileSync(join(this.home, path), text);
    }
    const programs = [
      join(installFolder, agent.binFolder ?? 'node_modules/.bin'),
      dirname(process.execPath),
      '/usr/local/bin',
      '/usr/bin',
      '/bin',
    ];
    this.environment = {
      PATH: programs.join(delimiter),
      HOME: this.home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      NO_COLOR: '1',
      SHELL: '/bin/sh',
      ...agent.environment(url),
    };
  }

  /** Runs the command that an agent needs once; what it makes of it shows in the scenarios. */
  setUp(agent: TestedAgent, url: string): void {
    const [program, ...args] = agent.setUp?.(url) ?? [];
    if (program === undefined) return;
    const env = { ...this.environment };
    spawnSync(program, args, { cwd: this.home, env, stdio: 'ignore', timeout: SET_UP_MS_MAX });
  }

  /** A fresh folder to work in, with a file to edit. */
  createWork(): string {
    this.#workCount += 1;
    const work = join(this.#folder, `work-${this.#workCount}`);
    mkdirSync(work);
    writeFileSync(join(work, 'edit.txt'), 'before\n');
    return work;
  }

  /** A file for what is stored, outside of the folders to work in. */
  dataFolder(): string {
    const folder = join(this.#folder, `data-${this.#workCount}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Text without what differs from machine to machine and from run to run. */
  clean(text: string): string {
    return text
      .replaceAll(new RegExp(`${this.#folder}/work-\\d+`, 'g'), '<work>')
      .replaceAll(this.home, '~')
      .replaceAll(this.#folder, '<place>');
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
