/**
 * Content Security Policy of the service's pages (docs/interface.md#page-policy). The server sends
 * it in a header; the web client's build also writes it into the start page, so that it applies no
 * matter which server delivers the page.
 */

/**
 * Returns a page's policy; `scripts` adds sources to those of all pages, such as the hash of an
 * inline script.
 */
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

/**
 * Returns the same policy for use inside the page itself: only a header can say who may frame the
 * page (CSP3 §3.3).
 */
export const ownPolicy = (scripts: readonly string[]): string =>
  pagePolicy(scripts).replace(" frame-ancestors 'none';", '');
