/**
 * What Android and iOS ask a site before an app may open its links: /.well-known/assetlinks.json (Digital Asset Links) and
 * /.well-known/apple-app-site-association (Associated Domains). Both name the apps of the configuration; without any there
 * is nothing to find.
 */
import { AppError } from '@keyfold/contract/errors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const KEPT_SECONDS = 60 * 60;
/** The screens; calls, files and the pages for strangers stay the browser's. */
const PATHS = ['/app/*'];

type Apps = Pick<Config, 'androidApps' | 'iosApps'>;

/** One statement for each Android app. */
export const assetLinksOf = ({ androidApps }: Apps) =>
  androidApps.map(({ id, fingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: id, sha256_cert_fingerprints: fingerprints },
  }));

/** The association of all iOS apps. */
export const siteAssociationOf = ({ iosApps }: Apps) => ({
  applinks: { details: [{ appIDs: iosApps, components: PATHS.map(path => ({ '/': path })) }] },
});

/** Answers at both addresses; 404 where no app is configured. */
export const mountAppLinks = (app: FastifyInstance, apps: Apps): void => {
  // Both addresses are always taken, or the web client's start page would stand there.
  const serve = (path: string, content: unknown, isSaid: boolean) =>
    app.get(path, async (_request, reply) => {
      if (!isSaid) throw new AppError('not_found');
      return reply
        .header('cache-control', `public, max-age=${KEPT_SECONDS}`)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(content));
    });
  serve('/.well-known/assetlinks.json', assetLinksOf(apps), apps.androidApps.length > 0);
  serve('/.well-known/apple-app-site-association', siteAssociationOf(apps), apps.iosApps.length > 0);
};
