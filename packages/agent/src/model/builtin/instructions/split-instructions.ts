/** List marks and politeness before an instruction. */
const BEFORE =
  /^\s*(?:(?:[-*]|\d+[.)])\s+)?(?:(?:and|then|please|now|first|next|finally|also)\b,?\s+)*/i;
/** What is never split: fenced blocks and text in backticks. */
const QUOTED = [/^```[^\n]*\n[\s\S]*?\n?```(?=\s|$|[.;])/, /^`[^`\n]*`/];
/** What ends an instruction: a line, a sentence, or `then`. A block on the next line belongs to it. */
const ENDS = [/^\n(?!\s*```)/, /^[.;!](?=\s|$)/, /^,?\s+(?:and )?then,?\s+/i];

/** Splits a prompt into its instructions, one per line or sentence. */
export function splitInstructions(prompt: string): string[] {
  const instructions: string[] = [];
  let rest = prompt.replace(BEFORE, '');
  let current = '';
  while (rest !== '') {
    const end = ENDS.map((pattern) => pattern.exec(rest)?.[0]).find(isPresent);
    if (end !== undefined) {
      instructions.push(current.trim());
      current = '';
      rest = rest.slice(end.length).replace(BEFORE, '');
    } else {
      const quoted = QUOTED.map((pattern) => pattern.exec(rest)?.[0]).find(isPresent);
      const piece = quoted ?? rest.charAt(0);
      current += piece;
      rest = rest.slice(piece.length);
    }
  }
  instructions.push(current.trim());
  return instructions.filter((text) => text !== '');
}

function isPresent(text: string | undefined): boolean {
  return text !== undefined;
}
