/**
 * Which addresses are pages of the web client. A dot file, an unserved name below /.well-known/ and a name with a file
 * extension are not: scanners, and browsers that check for a feature, need an honest 404 there.
 */

/** The mail view, whose tags people name themselves: `v1.0` is not a file. */
const MAIL_VIEW = /^\/app\/(?:inbox|event)\/[^/]+(?:\/[^/]*)?$/;
const EXTENSION = /[^.]\.[^.\s]+$/;
const OWN_PAGE = '/index.html';

/** The path as it is meant; null when its escapes are broken. */
function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/** Whether the start page answers at this path (without its query). */
export function isPagePath(pathname: string): boolean {
  if (pathname === OWN_PAGE) return true;
  const segments = (decodePath(pathname) ?? pathname).split(/[/\\]/).filter(segment => segment !== '');
  if (MAIL_VIEW.test(pathname)) return true;
  if (segments.some(segment => segment.startsWith('.'))) return false;
  return !EXTENSION.test(segments.at(-1) ?? '');
}
