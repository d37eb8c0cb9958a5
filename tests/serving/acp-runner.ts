import { acp } from '../../packages/cli/src/commands/acp.ts';

/** Runs `signalbox acp` from its source. The arguments: the agent, and its options as JSON. */
const [agent = '', options = '{}'] = process.argv.slice(2);
process.exitCode = await acp({ agent, ...(JSON.parse(options) as object) });
