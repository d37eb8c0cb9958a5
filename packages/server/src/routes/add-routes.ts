import type { FastifyInstance } from 'fastify';
import type { Parts } from '../parts.ts';
import { addSignInRoutes } from '../sign-in/sign-in-routes.ts';
import { addAcpRoutes } from './acp-routes.ts';
import { addEventRoutes } from './event-routes.ts';
import { addHealthRoutes } from './health-routes.ts';
import { addMetricsRoute } from './metrics-route.ts';
import { addPageRoutes } from './page-routes.ts';
import { addSessionRoutes } from './session-routes.ts';

/** Everything that can be asked for. */
export async function addRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const { options, doors, metrics, findAgent } = parts;
  addHealthRoutes(app, parts);
  addMetricsRoute(app, metrics, options.openMetrics === true);
  addSignInRoutes(app, parts);
  addSessionRoutes(app, options.host);
  addEventRoutes(app, { ...parts, host: options.host });
  await addAcpRoutes(app, doors, findAgent);
  if (options.page !== undefined) await addPageRoutes(app, options.page);
}
