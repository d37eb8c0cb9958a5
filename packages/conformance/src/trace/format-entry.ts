import type { TraceEntry } from './trace-entry.ts';

/**
 * One entry as a line of a trace file: `{"dir":"c2a","t":12,"msg":<the exact JSON text>}`. A line that
 * is no JSON, or a message of several lines, stands as a string in `raw` instead of `msg`, bytes that are no UTF-8 stand in `base64`.
 */
export function formatEntry({ dir, t, text, bytes, isCut }: TraceEntry): string {
  const head = `{"dir":"${dir}","t":${t}`;
  const cut = isCut === true ? ',"cut":true' : '';
  if (bytes !== undefined) {
    return `${head}${cut},"base64":"${Buffer.from(bytes).toString('base64')}"}`;
  }
  // JSON surrounded by spaces would come back without them, and a line feed would break the line in two.
  if (text.trim() === text && !text.includes('\n') && isJson(text))
    return `${head}${cut},"msg":${text}}`;
  return `${head}${cut},"raw":${JSON.stringify(text)}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
