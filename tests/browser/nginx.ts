import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './programs.ts';

/** Directories where nginx would otherwise write outside of its own folder. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** A real nginx on this machine, with a folder of its own and nothing of the system's configuration. */
export class Nginx {
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param http what stands in the `http` block. */
  static async start(http: string): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-nginx-'));
    // The workers of an nginx that root has started run as somebody else.
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'nginx.conf'), toConfig(folder, http));
    const nginx = new Nginx(folder);
    await nginx.start();
    return nginx;
  }

  /** Starts it again after {@link kill}. Resolves when it serves. */
  start(): Promise<void> {
    const config = join(this.#folder, 'nginx.conf');
    const args = ['-p', this.#folder, '-e', 'stderr', '-c', config, '-g', 'daemon off;'];
    // A group of its own, so that the workers can be killed with their master.
    const child = spawn(program('nginx'), args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    return new Promise((resolve, reject) => {
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('start worker process ')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`nginx has ended: ${said}`)));
    });
  }

  /** Ends it and its workers like a crash does: every connection is cut. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    const exited = new Promise((resolve) => child.once('close', resolve));
    process.kill(-child.pid, 'SIGKILL');
    await exited;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A port that nobody listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      server.close(() => (port === undefined ? reject(new Error('no port')) : resolve(port)));
    });
  });
}

function toConfig(folder: string, http: string): string {
  const paths = TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`);
  return `worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr notice;
events { worker_connections 512; }
http {
access_log off;
${paths.join('\n')}
${http}
}
`;
}
