import type { ServedAgent } from '@signalbox/host';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../app/access.ts';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';
import type { AcpDoors } from '../acp/acp-doors.ts';
import { AGENT_ROUTE, DEFAULT_ROUTE } from '../acp/find-visited.ts';
import { unknownAgent } from '../acp/unknown-agent.ts';
import { ProblemError } from '../problem/problem.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** ACP over Streamable HTTP. Upgrades to WebSocket do not come here. */
export async function addAcpRoutes(
  app: FastifyInstance,
  doors: AcpDoors,
  findAgent: (name: string | undefined) => ServedAgent | undefined,
): Promise<void> {
  await app.register((scope, _options, done) => {
    // The endpoint reads bodies itself: it has its own bound, and keeps their exact text.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null, undefined));
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      const { name } = request.params as { readonly name?: string };
      const agent = findAgent(name);
      if (agent === undefined) throw new ProblemError(unknownAgent(name));
      const principal = principalOf(request);
      reply.hijack();
      void doors.http.handle(request.raw, reply.raw, { principal, agent });
    };
    for (const url of [DEFAULT_ROUTE, AGENT_ROUTE]) {
      scope.route({ method: [...METHODS], url, config: { isAcp: true }, handler });
      refuseOtherMethods(scope, url, METHODS);
    }
    done();
  });
}
