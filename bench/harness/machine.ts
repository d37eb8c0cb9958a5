import { cpus, loadavg } from 'node:os';

/** What the numbers depend on; nothing that says whose machine it is. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly platform: string;
  /** The load average of the last minute, before the first round. */
  readonly load: number;
}

/** Describes this machine as it is now. */
export function describeMachine(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}
