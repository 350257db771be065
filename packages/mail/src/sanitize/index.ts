// HTML mail made safe to show (docs/spec-map.md 3; docs/reliability.md#hostile-input): DOMPurify takes the tree apart, then every
// address and every piece of CSS is decided here. The result is meant for a sandboxed frame with a policy of its own; both
// hold without the other. Browser only. Plain text never comes here.

import DOMPurify, { type Config } from 'dompurify';
import { randomHex } from '../bytes.ts';
import { splitHtmlParts } from '../mime/html-parts.ts';
import { findCid, findDataImage, findRemoteUrl, findSafeLink } from './addresses-in-html.ts';
import { filterDeclarations, filterStylesheet, isNeverOnScreen, type SettleCondition } from './css-filter.ts';
import { formatString } from './css-tokens.ts';
import { cidMark, readyForEditing } from './editing.ts';
import { createMailBodyPolicy, type MailBodyPolicy, type TrustedMarkup, whileSanitizing } from './policy.ts';
import { createStyleName, type FoundSheet, quietMarkup, showStyleAttributes } from './quiet-markup.ts';

import { purifyInSlices } from './slices.ts';
import { isHiddenPicture, isTrackerUrl } from './trackers.ts';
import { linkTypedAddresses } from './typed-links.ts';

export { createMailBodyPolicy, type MailBodyPolicy, type SettleCondition, type TrustedMarkup };

/** How addresses of a mail are to be treated; without any option nothing is loaded and links stay as they are. */
export type SanitizeOptions = {
  /** Keeps pictures from the web, trackers excepted. Fonts, styles, media and frames are never loaded. */
  allowRemote?: boolean;
  /** What to load in place of a remote picture, or null to block it. Default: the address itself. */
  rewriteRemote?: (url: string) => string | null;
  /** The address of a picture of this mail by Content-ID (no brackets): blob: or data:, or null. */
  resolveCid?: (contentId: string) => string | null;
  /** What a link is to lead to, normally the /link page; null removes it. `mailto:` and `tel:` come here too. */
  rewriteLink?: (url: string) => string | null;
  /** The media query that takes the place of a condition in its stylesheets. Default: the condition stays. */
  settleCondition?: SettleCondition;
};

/** The clean HTML and what was kept from loading: counts of distinct addresses, trackers among the blocked. */
export type SanitizedMail = {
  html: string;
  trusted: TrustedMarkup; // the same, for innerHTML under Trusted Types
  blockedRemote: number;
  trackers: number;
  remoteUrls: string[]; // remote pictures that were or could be loaded, for callers who fetch them first
};

const TAGS =
  'a abbr acronym address area article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del ' +
  'details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main map mark ' +
  'menu nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead ' +
  'time tr tt u ul var wbr';

const ATTRIBUTES =
  'abbr align alt axis bgcolor border cellpadding cellspacing char charoff class clear color cols colspan compact coords ' +
  'datetime dir face frame headers height href hspace id lang name noshade nowrap open reversed role rows rowspan rules scope ' +
  'shape size span src start style summary title type usemap valign value vspace width';

// What holds text that is no content is dropped with it; everything else unknown leaves its text behind.
const DROPPED_WITH_CONTENT =
  'script style noscript template title head object embed applet iframe frame frameset noframes audio video canvas svg ' +
  'math xmp noembed plaintext select option datalist textarea button dialog portal fencedframe marquee';

const CONFIG: Config = {
  ALLOWED_TAGS: TAGS.split(' '),
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  FORBID_CONTENTS: DROPPED_WITH_CONTENT.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: true,
  ALLOW_UNKNOWN_PROTOCOLS: true, // addresses are decided below, cid: among them
  SANITIZE_DOM: true,
  RETURN_DOM_FRAGMENT: true,
};

type Findings = {
  blocked: Set<string>;
  trackers: Set<string>;
  remote: Set<string>;
};

// The address to load for a picture, or null; every remote one is noted.
function resolvePicture(
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

// Even a caller's mistake must not put a script or a page address into a picture.
function safePicture(address: string | null): string | null {
  return address !== null && /^(?:blob:|https?:\/\/|data:image\/)/i.test(address) ? address : null;
}

function cleanElement(
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
  // That a table only places things is said to readers too; every other role would let a mail act as a part of the app.
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
  // The frame's own style draws a grey box for these; hidden ones leave no trace.
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

// Two old and one new way to name a picture, turned into the ones that are judged below: a background attribute into
// style, and for a picture without an address the first candidate of its set.
function adoptPictures(root: ParentNode, styleName: string): void {
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
    // Other sizes of a picture that is there are no pictures of their own.
    image.removeAttribute('srcset');
    for (const source of others) source.removeAttribute('srcset');
  }
}

// Sources that DOMPurify drops without asking: only counted, so that the strip tells the truth.
function countDropped(
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

const COLOR = /^#?[a-z0-9]{1,30}$/i;

// The page's own look (body attributes) becomes a box around the content.
function bodyStyle(
  body: Element | null,
  styleName: string,
  options: SanitizeOptions,
  findings: Findings,
): string {
  const declarations: string[] = [];
  const background = body?.getAttribute('bgcolor')?.trim() ?? '';
  const text = body?.getAttribute('text')?.trim() ?? '';
  if (COLOR.test(background)) declarations.push(`background-color:${background}`);
  if (COLOR.test(text)) declarations.push(`color:${text}`);
  const style = body?.getAttribute('style') ?? body?.getAttribute(styleName);
  if (style) declarations.push(style);
  return filterDeclarations(declarations.join(';'), (url, isShown) =>
    resolvePicture(url, options, findings, false, isShown),
  );
}

function filterSheets(found: readonly FoundSheet[], options: SanitizeOptions, findings: Findings): string {
  const sheets: string[] = [];
  for (const { css, media } of found) {
    const condition = media.trim();
    const isOnScreen = !isNeverOnScreen(condition);
    const clean = filterStylesheet(
      css,
      (url, isShown) => resolvePicture(url, options, findings, false, isShown && isOnScreen),
      options.settleCondition,
    );
    const query = options.settleCondition?.('media', condition) ?? condition;
    if (clean && /^[\w\s():,.-]*$/.test(condition))
      sheets.push(condition ? `@media ${query}{${clean}}` : clean);
  }
  return sheets.join('\n');
}

function leftoverSheets(root: Document): FoundSheet[] {
  return Array.from(root.querySelectorAll('style'), element => ({
    css: element.textContent ?? '',
    media: element.getAttribute('media') ?? '',
  }));
}

const KEPT_TAGS: ReadonlySet<string> = new Set(TAGS.split(' '));
/** Elements whose addresses and styles are decided between two pauses. */
const ELEMENTS_PER_STEP = 60;

type Purified = {
  /** Of a document without a window; styles stand under `styleName`. */
  box: HTMLElement;
  styleName: string;
  css: string;
  boxStyle: string;
  findings: Findings;
};

const noFindings = (): Pick<Purified, 'styleName' | 'findings'> => ({
  styleName: createStyleName(),
  findings: { blocked: new Set(), trackers: new Set(), remote: new Set() },
});

// Each yield is a place where the work may rest. [Note: Slices]
function* purifySteps(
  html: string,
  options: SanitizeOptions,
  policy: MailBodyPolicy,
  /** Whether addresses that stand in the text become links. */
  linksTyped: boolean,
  { styleName, findings }: Pick<Purified, 'styleName' | 'findings'>,
): Generator<void, Purified> {
  const quiet = quietMarkup(html, styleName);
  yield;
  const dirty = new DOMParser().parseFromString(policy.createHTML(quiet.html), 'text/html');
  yield;
  adoptPictures(dirty, styleName);
  countDropped(dirty, styleName, options, findings);
  const css = filterSheets([...quiet.sheets, ...leftoverSheets(dirty)], options, findings);
  const boxStyle = bodyStyle(dirty.body, styleName, options, findings);
  yield;
  const config = {
    ...CONFIG,
    ALLOWED_ATTR: [...ATTRIBUTES.split(' '), styleName],
    TRUSTED_TYPES_POLICY: policy as unknown as NonNullable<Config['TRUSTED_TYPES_POLICY']>,
  };
  const purify = (node: Node) => DOMPurify.sanitize(node, config) as unknown as DocumentFragment;
  // Of a document without a window, like `dirty`: pictures in it do not load.
  const box = dirty.createElement('div');
  yield* purifyInSlices(dirty.body, box, purify, KEPT_TAGS);
  if (linksTyped) yield* linkTypedAddresses(box);
  for (const [index, element] of box.querySelectorAll('*').entries()) {
    cleanElement(element, styleName, options, findings);
    if (index % ELEMENTS_PER_STEP === ELEMENTS_PER_STEP - 1) yield;
  }
  return { box, styleName, css, boxStyle, findings };
}

function* sanitizeSteps(
  html: string,
  options: SanitizeOptions,
  policy: MailBodyPolicy,
): Generator<void, SanitizedMail> {
  const shared = noFindings();
  const parts = splitHtmlParts(html);
  let clean = '';
  for (const part of parts) {
    const { box, css, boxStyle } = yield* purifySteps(part, options, policy, true, shared);
    // The styles of a part are for it alone.
    const scope = parts.length > 1 ? `kf-part-${randomHex(8)}` : null;
    box.setAttribute('class', scope === null ? 'mail-body' : `mail-body ${scope}`);
    if (boxStyle) box.setAttribute(shared.styleName, boxStyle);
    // The filter lets no "<" through but as an escape or before a blank, so no CSS can end the element.
    if (css) clean += `<style>${scope === null ? css : `@scope (.${scope}) {${css}}`}</style>`;
    clean += showStyleAttributes(box.outerHTML, shared.styleName);
  }
  const { findings } = shared;
  return {
    html: clean,
    trusted: policy.createHTML(clean),
    blockedRemote: findings.blocked.size,
    trackers: findings.trackers.size,
    remoteUrls: [...findings.remote],
  };
}

/**
 * Makes the HTML of a mail safe for the message frame. Never fails on hostile input; fails only where the browser
 * refuses the `mail-body` policy.
 */
export function sanitizeMail(html: string, options: SanitizeOptions = {}): SanitizedMail {
  return whileSanitizing(policy => {
    const steps = sanitizeSteps(html, options, policy);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  });
}

/**
 * The same cleaning for what an editor takes in (paste, drafts, signatures, quoted mail): elements without any style, of
 * a document without a window, in which pictures of the mail keep their `cid:` address and bitmaps their `data:`.
 * Remote pictures are left out unless `allowRemote`. Tables stay where people would call them so: `isPasted` leans to it.
 */
export function sanitizeForEditing(
  html: string,
  options: { allowRemote?: boolean; isPasted?: boolean } = {},
): HTMLElement {
  return whileSanitizing(policy => {
    const resolveCid = (contentId: string) => `${cidMark}${encodeURIComponent(contentId)}`;
    const [first, ...more] = splitHtmlParts(html).map(part => {
      const steps = purifySteps(part, { ...options, resolveCid }, policy, false, noFindings());
      for (;;) {
        const step = steps.next();
        if (step.done)
          return readyForEditing(step.value.box, step.value.styleName, options.isPasted ?? false);
      }
    }) as [HTMLElement, ...HTMLElement[]];
    for (const box of more) first.append(...box.childNodes);
    return first;
  });
}

/**
 * {@link sanitiseMail} for the main thread of a page: every few milliseconds of work it waits for what `pause` returns.
 * A `pause` that rejects ends the work.
 */
export async function sanitizeMailInSlices(
  html: string,
  options: SanitizeOptions,
  pause: () => Promise<void> | null,
): Promise<SanitizedMail> {
  const steps = sanitizeSteps(html, options, createMailBodyPolicy());
  for (;;) {
    const step = whileSanitizing(() => steps.next());
    if (step.done) return step.value;
    await pause();
  }
}
