import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addAgents } from './agents.ts';
import { addCheck } from './check.ts';
import { addRun } from './run.ts';
import { addServe } from './serve.ts';
import { addSessions } from './sessions.ts';
import { addTrace } from './trace.ts';

/** The command line: what there is and what it is given. Commands are loaded when they are needed. */
export function createProgram(): Command {
  const program = new Command('signalbox')
    .description('Runs any coding agent that speaks the Agent Client Protocol.')
    .version(VERSION)
    .exitOverride()
    // Options behind an agent's program are the agent's.
    .enablePositionalOptions()
    .showHelpAfterError('(--help shows what there is)');
  addRun(program);
  addServe(program);
  addSessions(program);
  addAgents(program);
  addTrace(program);
  addCheck(program);
  return program;
}
