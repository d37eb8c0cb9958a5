import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';
import { ServerError } from '../server-error.ts';

/** @throws ServerError `options_invalid` when there is no such folder. */
export function assertPageFolder(folder: string): void {
  if (isAbsolute(folder) && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const hint = 'Build the page first, and give the absolute path of its folder.';
  throw new ServerError('options_invalid', `${folder} is no folder with a page`, { hint });
}

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
