/** What the built-in model can do, in Markdown. */
export const CAN_DO = `The built-in model does mechanical work only. One instruction per line or sentence:

- \`list src\`, \`read <file>\`, \`search <text> in <dir>\`
- replace \`a\` with \`b\` in \`<file>\`
- create \`<file>\` with \`text\`, or with a fenced block
- \`delete <file>\`, \`move <a> to <b>\`
- run \`command\`
- \`think <something>\`
- \`fix the failing test\`: runs the tests and tries small changes until they pass

A fenced block \`signalbox-script\` holds steps as JSON.`;
