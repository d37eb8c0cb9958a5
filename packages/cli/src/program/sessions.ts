import type { Command } from 'commander';

/** The commands that look at sessions: `sessions`, `log`. */
export function addSessions(program: Command): void {
  const sessions = program.command('sessions').description('list, show and delete sessions');
  sessions
    .command('list')
    .description('every session, oldest first')
    .option('--json', 'one session a line, as JSON')
    .action(async (options: { json?: boolean }) => {
      const { listSessions } = await import('../commands/sessions.ts');
      await listSessions(options);
    });
  sessions
    .command('show')
    .description('a whole session, as it was seen live')
    .argument('<session>', 'its id, the beginning of it, or "last"')
    .action(async (named: string) => {
      const { showOneSession } = await import('../commands/sessions.ts');
      await showOneSession(named);
    });
  sessions
    .command('delete')
    .description('delete a session and its log for good')
    .argument('<session>', 'its id, the beginning of it, or "last"')
    .action(async (named: string) => {
      const { deleteSession } = await import('../commands/sessions.ts');
      await deleteSession(named);
    });
  program
    .command('log')
    .description("show a session's log, one event a line")
    .argument('<session>', 'its id, the beginning of it, or "last"')
    .option('-f, --follow', 'go on with what comes')
    .option('--raw', 'each event exactly as it is stored, as JSON')
    .option('--after <event id>', 'only events after this one')
    .action(async (named: string, options: object) => {
      const { showLog } = await import('../commands/log.ts');
      await showLog(named, options);
    });
}
