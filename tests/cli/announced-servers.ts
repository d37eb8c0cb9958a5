import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './signalbox.ts';

/** What a server says of itself to the commands of its user. */
export interface AnnouncedServer {
  readonly file: string;
  readonly url: string;
  readonly localUrl: string;
  readonly token: string;
  readonly pid: number;
}

/** The servers that say they run in a place. */
export function announcedServers(place: Place): AnnouncedServer[] {
  const folder = join(place.cwd, 'data', 'servers');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const file = join(folder, name);
    return { ...(JSON.parse(readFileSync(file, 'utf8')) as AnnouncedServer), file };
  });
}
