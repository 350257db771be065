// Checks the pictures, links and styles of each element of a message, and records what was blocked.
// Does not decide which elements and attributes are allowed (index.ts).

import { findCid, findDataImage, findRemoteUrl, findSafeLink } from './addresses-in-html.ts';
import { filterDeclarations, type SettleCondition } from './css-filter.ts';
import { formatString } from './css-tokens.ts';
import { isHiddenPicture, isTrackerUrl } from './trackers.ts';

/**
 * How URLs of a message are treated. By default nothing is loaded and links stay unchanged.
 */
export type SanitizeOptions = {
  /** Keeps remote pictures except trackers. Fonts, styles, media and frames are never loaded. */
  allowRemote?: boolean;
  /** Returns the URL to load instead of a remote picture, or null to block it. Default: its own. */
  rewriteRemote?: (url: string) => string | null;
  /** Returns the blob: or data: URL of a picture by Content-ID (no brackets), or null. */
  resolveCid?: (contentId: string) => string | null;
  /**
   * Returns the target of a link, normally the /link page; null removes the link. Also called for
   * `mailto:` and `tel:`.
   */
  rewriteLink?: (url: string) => string | null;
  /** Returns the media query that replaces a condition in style sheets. Default: unchanged. */
  settleCondition?: SettleCondition;
};

export type Findings = {
  blocked: Set<string>;
  trackers: Set<string>;
  remote: Set<string>;
};

/** Returns the URL to load for a picture, or null. Records every remote one. */
export function resolvePicture(
  source: string,
  options: SanitizeOptions,
  findings: Findings,
  isHidden = false,
  isShown = true,
): string | null {
  const cid = findCid(source);
  if (cid !== null) return safePicture(options.resolveCid?.(cid) ?? null);
  const data = findDataImage(source);
  if (data) return data;
  const url = findRemoteUrl(source);
  if (!url) return null;
  const isTracker = isHidden || isTrackerUrl(url);
  if (isTracker) findings.trackers.add(url);
  else if (isShown) findings.remote.add(url);
  const kept =
    options.allowRemote && isShown && !isTracker
      ? safePicture((options.rewriteRemote ?? (same => same))(url))
      : null;
  if (!kept) findings.blocked.add(url);
  return kept;
}

// A mistake of a caller must not put a script or a page URL into a picture.
function safePicture(address: string | null): string | null {
  return address !== null && /^(?:blob:|https?:\/\/|data:image\/)/i.test(address) ? address : null;
}

export function cleanElement(
  element: Element,
  styleName: string,
  options: SanitizeOptions,
  findings: Findings,
): void {
  const style = element.getAttribute('style') ?? element.getAttribute(styleName);
  const cleanStyle = style
    ? filterDeclarations(style, (url, isShown) => resolvePicture(url, options, findings, false, isShown))
    : '';
  element.removeAttribute('style');
  element.removeAttribute(styleName);
  if (cleanStyle) element.setAttribute(styleName, cleanStyle);
  const name = element.localName;
  if (name === 'img') cleanPicture(element, cleanStyle, options, findings);
  else element.removeAttribute('src');
  if (name === 'a' || name === 'area') cleanLink(element, options);
  else element.removeAttribute('href');
  // Screen readers may learn that a table is only layout. Any other role would let a message pose
  // as part of the app.
  if (!/^(?:presentation|none)$/i.test(element.getAttribute('role') ?? '')) element.removeAttribute('role');
  if (element.hasAttribute('usemap') && !/^#[\w-]+$/.test(element.getAttribute('usemap') ?? '')) {
    element.removeAttribute('usemap');
  }
}

function cleanPicture(element: Element, style: string, options: SanitizeOptions, findings: Findings): void {
  const source = element.getAttribute('src') ?? '';
  element.removeAttribute('src');
  const isHidden = isHiddenPicture(element.getAttribute('width'), element.getAttribute('height'), style);
  const address = resolvePicture(source, options, findings, isHidden);
  if (address) element.setAttribute('src', address);
  // The style of the frame draws a gray box for these; hidden pictures leave no trace.
  else if (findRemoteUrl(source)) element.setAttribute('data-blocked', isHidden ? 'hidden' : 'remote');
  element.removeAttribute('href');
}

function cleanLink(element: Element, options: SanitizeOptions): void {
  const href = element.getAttribute('href');
  element.removeAttribute('href');
  const safe = href === null ? null : findSafeLink(href);
  if (safe === null) return;
  const target = safe.startsWith('#') ? safe : (options.rewriteLink ?? (same => same))(safe);
  if (target === null || /^\s*(?:javascript|data|vbscript|blob):/i.test(target)) return;
  element.setAttribute('href', target);
  if (safe.startsWith('#')) return;
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noreferrer noopener');
}

/** Elements whose background attribute browsers draw. */
const WITH_BACKGROUND = 'body,table,thead,tbody,tfoot,tr,td,th';

const firstCandidate = (srcset: string): string =>
  srcset.trim().split(/,\s+/, 1)[0]?.trim().split(/\s+/, 1)[0] ?? '';

/**
 * Converts other ways to name a picture into those that are checked below: a background attribute
 * into a style, and, for a picture without a URL, the first candidate of its set into `src`.
 */
export function adoptPictures(root: ParentNode, styleName: string): void {
  for (const element of root.querySelectorAll(WITH_BACKGROUND)) {
    const address = element.getAttribute('background');
    if (!address) continue;
    element.removeAttribute('background');
    const style = element.getAttribute('style') ?? element.getAttribute(styleName) ?? '';
    // First, so that the element's own style wins, as it does over the attribute.
    element.removeAttribute('style');
    element.setAttribute(styleName, `background-image:url(${formatString(address)});${style}`);
  }
  for (const image of root.querySelectorAll('img')) {
    const own = image.getAttribute('srcset');
    const others = image.closest('picture')?.querySelectorAll('source[srcset]') ?? [];
    const sets = [own ?? '', ...Array.from(others, source => source.getAttribute('srcset') ?? '')];
    const address = sets.map(firstCandidate).find(candidate => candidate !== '');
    if (address && !image.getAttribute('src')) image.setAttribute('src', address);
    // Other sizes of a present picture are not separate pictures.
    image.removeAttribute('srcset');
    for (const source of others) source.removeAttribute('srcset');
  }
}

/** Counts sources that DOMPurify drops, so that the strip shows the right number. */
export function countDropped(
  root: ParentNode,
  styleName: string,
  options: SanitizeOptions,
  findings: Findings,
): void {
  const blocked: SanitizeOptions = { ...options, allowRemote: false };
  const isHidden = (element: Element | null): boolean =>
    element !== null &&
    isHiddenPicture(
      element.getAttribute('width'),
      element.getAttribute('height'),
      element.getAttribute('style') ?? element.getAttribute(styleName) ?? '',
    );
  for (const element of root.querySelectorAll(
    '[background],[poster],[srcset],video[src],audio[src],input[src],source[src],svg image',
  )) {
    const holder = element.closest('svg,video,audio');
    const isPixel = isHidden(element) || (holder !== element && isHidden(holder));
    for (const name of ['background', 'poster', 'src', 'href', 'xlink:href']) {
      const isOwn = name === 'src' && element.localName === 'img';
      const isLink = name.endsWith('href') && element.localName !== 'image';
      const url = isOwn || isLink ? null : findRemoteUrl(element.getAttribute(name) ?? '');
      if (url) resolvePicture(url, blocked, findings, isPixel, false);
    }
    const candidate = firstCandidate(element.getAttribute('srcset') ?? '');
    if (candidate) resolvePicture(candidate, blocked, findings, isPixel, false);
  }
}
