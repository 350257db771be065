/**
 * The standard files of a website: robots.txt, security.txt (RFC 9116) and the address at which
 * password managers find the page for a new password
 * (https://w3c.github.io/webappsec-change-password-url/). They work without a built client.
 */

import { assetLinksOf, siteAssociationOf } from '@keyfold/contract/app-links';
import { AppError } from '@keyfold/contract/errors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Deps } from '../context/deps.ts';

const KEPT_SECONDS = 24 * 60 * 60;
const SECURITY_PATH = '/.well-known/security.txt';
/**
 * RFC 9116 §2.5.5 recommends less than a year; the file is generated for each request, so it never
 * goes stale.
 */
const SECURITY_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;
const PASSWORD_PAGE = '/app/security/password';

/** Nothing here is for search engines: every page requires signing in. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

const securityText = (contact: string, publicUrl: string, nowMs: number): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(nowMs + SECURITY_LIFETIME_MS).toISOString().replace(/\.\d+Z$/, 'Z')}`,
    `Canonical: ${publicUrl}${SECURITY_PATH}`,
    '',
  ].join('\n');

export function mountSiteFiles(
  app: FastifyInstance,
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
): void {
  const serve = (path: string, textNow: () => string) =>
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (_request, reply) =>
        reply
          .header('cache-control', `public, max-age=${KEPT_SECONDS}`)
          .type('text/plain; charset=utf-8')
          .send(textNow()),
    });
  serve('/robots.txt', () => ROBOTS);
  serve(SECURITY_PATH, () => securityText(config.securityContact, config.publicUrl, clock.now().getTime()));
  app.route({
    method: ['GET', 'HEAD'],
    url: '/.well-known/change-password',
    handler: async (_request, reply) =>
      reply.header('cache-control', 'no-store').redirect(PASSWORD_PAGE, 302),
  });
}

const LINKS_KEPT_SECONDS = 60 * 60;
type Apps = Pick<Config, 'androidApps' | 'iosApps'>;

/**
 * Serves the files that Android and iOS request from a site before an app may open its links:
 * Digital Asset Links and Associated Domains. Both name the apps of the configuration; 404 where
 * there are none. The contract defines which pages they open (app-links.ts).
 */
export function mountAppLinks(app: FastifyInstance, apps: Apps): void {
  // Both routes always exist; otherwise the web client's start page would be served there.
  const serve = (path: string, content: unknown, isSaid: boolean) =>
    app.get(path, async (_request, reply) => {
      if (!isSaid) throw new AppError('not_found');
      return reply
        .header('cache-control', `public, max-age=${LINKS_KEPT_SECONDS}`)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(content));
    });
  serve('/.well-known/assetlinks.json', assetLinksOf(apps.androidApps), apps.androidApps.length > 0);
  serve('/.well-known/apple-app-site-association', siteAssociationOf(apps.iosApps), apps.iosApps.length > 0);
}
