import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { at, stringAt } from '../json/json.ts';
import { Refusal, type Responder } from './responder.ts';

/** The file system that the kit offers to an agent under test. */
export const KIT_FILES: Responder = {
  'fs/read_text_file': async (params) => {
    const path = stringAt(params, 'path') ?? '';
    const text = await readFile(path, 'utf8').catch(() => {
      throw new Refusal(-32002, 'Resource not found');
    });
    return { content: part(text, at(params, 'line'), at(params, 'limit')) };
  },
  'fs/write_text_file': async (params) => {
    const path = stringAt(params, 'path') ?? '';
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, stringAt(params, 'content') ?? '');
    } catch {
      throw new Refusal(-32603, 'The file cannot be written');
    }
    return {};
  },
};

function part(text: string, line: unknown, limit: unknown): string {
  if (typeof line !== 'number' && typeof limit !== 'number') return text;
  const lines = text.split(/(?<=\n)/);
  const start = typeof line === 'number' ? Math.max(0, line - 1) : 0;
  return lines.slice(start, typeof limit === 'number' ? start + limit : undefined).join('');
}
