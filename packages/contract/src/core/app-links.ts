/**
 * Which pages of a server its apps open when a user follows a link to them (ADR 38). This single
 * list is behind Android's intent filter, the files under /.well-known and the parsing of the URL
 * an app was opened with. All other pages stay in the browser: links with a secret (password reset,
 * invitation, an external guest's event response) work without an app, and must not open in an app
 * that drops the secret. Imports nothing.
 */

/** Each entry covers its own path and every path below it. */
export const APP_LINK_PATHS = [
  '/app/inbox',
  '/app/email',
  '/app/event',
  '/app/calendar',
  '/app/security',
] as const;

/** Returns whether an app opens this path of its server, given as a URL parser returns it. */
export const isAppLink = (pathname: string): boolean =>
  APP_LINK_PATHS.some(path => pathname === path || pathname.startsWith(`${path}/`));

/**
 * Android app that owns these links: its id, and the SHA-256 fingerprints of the certificates that
 * may have signed it.
 */
export type AndroidApp = { readonly id: string; readonly fingerprints: readonly string[] };

/**
 * Returns the content of /.well-known/assetlinks.json for Android: the apps. The pages they open
 * are in their manifests.
 */
export const assetLinksOf = (apps: readonly AndroidApp[]) =>
  apps.map(({ id, fingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: id, sha256_cert_fingerprints: fingerprints },
  }));

/**
 * Returns the content of /.well-known/apple-app-site-association for iOS: the apps, by team and
 * identifier, and their pages.
 */
export const siteAssociationOf = (appIDs: readonly string[]) => ({
  applinks: {
    details: [{ appIDs, components: APP_LINK_PATHS.flatMap(path => [{ '/': path }, { '/': `${path}/*` }]) }],
  },
});
