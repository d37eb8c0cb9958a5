import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';
import { DRAINING } from '../problem/draining.ts';
import { ProblemError } from '../problem/problem.ts';
import type { JournalProbe } from './journal-probe.ts';

/** What the state of a server is made of. */
export interface HealthParts {
  readonly isDraining: () => boolean;
  readonly journal: JournalProbe;
  readonly log: Logger;
}

const OPEN = { access: 'open' } as const;

/** Whether the process lives, and whether it should be given work. */
export function addHealthRoutes(app: FastifyInstance, parts: HealthParts): void {
  const { isDraining, journal, log } = parts;
  const method = ['GET', 'HEAD'] as const;
  app.route({
    method: [...method],
    url: '/health/live',
    config: OPEN,
    handler: () => ({ status: 'live' }),
  });
  app.route({
    method: [...method],
    url: '/health/ready',
    config: OPEN,
    handler: async () => {
      if (isDraining()) throw new ProblemError(DRAINING);
      const error = await journal.check();
      if (error === undefined) return { status: 'ready' };
      log.error({ err: error }, 'the journal cannot be written');
      const detail = 'The log of the sessions cannot be written; the server log says why.';
      throw new ProblemError({ status: 503, code: 'journal_failed', detail });
    },
  });
  refuseOtherMethods(app, '/health/live', method);
  refuseOtherMethods(app, '/health/ready', method);
}
