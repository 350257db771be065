/**
 * What a page of the service may load (docs/interface.md#page-policy): for the server, which says so in a header, and for the
 * build of the web client, which writes it into the start page too, so that it holds whoever gives the page out.
 */

/** The policy of a page; `scripts` adds sources to those of all pages, such as the hash of a script that stands in it. */
export const pagePolicy = (scripts: readonly string[] = []): string =>
  [
    "default-src 'none'",
    // Argon2id runs as WebAssembly in a worker.
    ["script-src 'self' 'wasm-unsafe-eval'", ...scripts].join(' '),
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types mail-body workers ProseMirrorClipboard',
  ].join('; ');

/** The same for a page to say of itself: who may frame it can be told in a header alone (CSP3 §3.3). */
export const ownPolicy = (scripts: readonly string[]): string =>
  pagePolicy(scripts).replace(" frame-ancestors 'none';", '');
