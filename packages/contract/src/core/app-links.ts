/**
 * Which pages of a server its apps open when somebody follows a link to them (ADR 38): the one list behind Android's intent
 * filter, the answers under /.well-known and the reading of what the app was opened with. Everything else stays a browser's:
 * links with a secret (another password, an invitation, an answer to a stranger's event) work without an app, and must not
 * end in one that leaves the secret out. Imports nothing.
 */

/** Each stands for itself and for whatever is below it. */
export const APP_LINK_PATHS = [
  '/app/inbox',
  '/app/email',
  '/app/event',
  '/app/calendar',
  '/app/security',
] as const;

/** Whether an app opens this path of its server, as a parser of URLs gives it. */
export const isAppLink = (pathname: string): boolean =>
  APP_LINK_PATHS.some(path => pathname === path || pathname.startsWith(`${path}/`));

/** An Android app whose links these are: its id, and the SHA-256 of the certificates that may have signed it. */
export type AndroidApp = { readonly id: string; readonly fingerprints: readonly string[] };

/** What Android asks for at /.well-known/assetlinks.json: the apps; which pages they open stands in their manifest. */
export const assetLinksOf = (apps: readonly AndroidApp[]) =>
  apps.map(({ id, fingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: id, sha256_cert_fingerprints: fingerprints },
  }));

/** What iOS asks for at /.well-known/apple-app-site-association: the apps, by team and identifier, and their pages. */
export const siteAssociationOf = (appIDs: readonly string[]) => ({
  applinks: {
    details: [{ appIDs, components: APP_LINK_PATHS.flatMap(path => [{ '/': path }, { '/': `${path}/*` }]) }],
  },
});
