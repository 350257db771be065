/**
 * The content policy of the web client's start page: the policy of every page plus additions from
 * its build. Its import map is inline, so the policy contains the map's hash; only scripts whose
 * integrity the page pins can run there. https://html.spec.whatwg.org/#import-maps,
 * https://www.w3.org/TR/CSP3/, https://w3c.github.io/webappsec-subresource-integrity/
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { pagePolicy } from '@keyfold/contract/page-policy';
import { START_PAGE_PERMISSIONS } from './security-headers.ts';

type Headers = Readonly<Record<string, string>>;

const IMPORT_MAP = /<script type="importmap">([^<]*)<\/script>/;

/** Returns the headers for a start page with this content. */
export function startPageHeaders(html: string): Headers {
  const map = IMPORT_MAP.exec(html)?.[1];
  const common = { 'cache-control': 'no-cache', 'permissions-policy': START_PAGE_PERMISSIONS };
  if (map === undefined) return common;
  const hash = createHash('sha256').update(map).digest('base64');
  return {
    ...common,
    'content-security-policy': pagePolicy([`'sha256-${hash}'`]),
    'integrity-policy': 'blocked-destinations=(script)',
  };
}

/**
 * Rereads the headers of the page at `file` whenever it changes; returns null while there is none.
 */
export function createStartPage(file: string): () => Headers | null {
  let known: { readonly changedAtMs: number; readonly headers: Headers } | null = null;
  return () => {
    const changedAtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAtMs === undefined) return null;
    if (known?.changedAtMs !== changedAtMs)
      known = { changedAtMs, headers: startPageHeaders(readFileSync(file, 'utf8')) };
    return known.headers;
  };
}
