import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';

/**
 * The files of the page, as they are when the server starts. Others are not found, so nothing outside
 * the folder can be.
 *
 * @param folder absolute.
 */
export async function addPageRoutes(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'page' };
    });
    await scope.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      decorateReply: false,
      // Files are compared by their tags, so that a newer page is never mixed with an older one.
      cacheControl: false,
      setHeaders: (reply) => void reply.header('Cache-Control', 'no-cache'),
    });
  });
  refuseOtherMethods(app, '/', ['GET', 'HEAD']);
}
