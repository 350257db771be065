/**
 * What Android and iOS ask a site before an app may open its links: /.well-known/assetlinks.json (Digital Asset Links) and
 * /.well-known/apple-app-site-association (Associated Domains). Both name the apps of the configuration; without any there
 * is nothing to find. Which pages they open is the contract's (app-links.ts).
 */
import { assetLinksOf, siteAssociationOf } from '@keyfold/contract/app-links';
import { AppError } from '@keyfold/contract/errors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

const KEPT_SECONDS = 60 * 60;
type Apps = Pick<Config, 'androidApps' | 'iosApps'>;

/** Answers at both addresses; 404 where no app is configured. */
export function mountAppLinks(app: FastifyInstance, apps: Apps): void {
  // Both addresses are always taken, or the web client's start page would stand there.
  const serve = (path: string, content: unknown, isSaid: boolean) =>
    app.get(path, async (_request, reply) => {
      if (!isSaid) throw new AppError('not_found');
      return reply
        .header('cache-control', `public, max-age=${KEPT_SECONDS}`)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(content));
    });
  serve('/.well-known/assetlinks.json', assetLinksOf(apps.androidApps), apps.androidApps.length > 0);
  serve('/.well-known/apple-app-site-association', siteAssociationOf(apps.iosApps), apps.iosApps.length > 0);
}
