// Sanitizes HTML mail for display (docs/spec-map.md 3; docs/reliability.md#hostile-input).
// DOMPurify filters the tree, then every URL and all CSS are checked. The result is meant for a
// sandboxed frame with its own policy; each protects without the other. Browser only. Not for plain
// text.

import DOMPurify, { type Config } from 'dompurify';
import { randomHex } from '../bytes.ts';
import { splitHtmlParts } from '../mime/html-parts.ts';
import { filterDeclarations, filterStylesheet, isNeverOnScreen, type SettleCondition } from './css-filter.ts';
import { cidMark, readyForEditing } from './editing.ts';
import {
  adoptPictures,
  cleanElement,
  countDropped,
  type Findings,
  resolvePicture,
  type SanitizeOptions,
} from './elements.ts';
import { createMailBodyPolicy, type MailBodyPolicy, type TrustedMarkup, whileSanitizing } from './policy.ts';
import { createStyleName, type FoundSheet, quietMarkup, showStyleAttributes } from './quiet-markup.ts';
import { purifyInSlices } from './slices.ts';
import { linkTypedAddresses } from './typed-links.ts';

export {
  createMailBodyPolicy,
  type MailBodyPolicy,
  type SanitizeOptions,
  type SettleCondition,
  type TrustedMarkup,
};

/** Clean HTML, and counts of the distinct URLs that were blocked, including trackers. */
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

// Elements whose text is not content are dropped with it. Other unknown elements leave their text.
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

const COLOR = /^#?[a-z0-9]{1,30}$/i;

/** Converts the appearance of the page (body attributes) into the style of a box around it. */
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
/** Elements whose URLs and styles are checked between two pauses. */
const ELEMENTS_PER_STEP = 60;

type Purified = {
  /** Belongs to a document without a window; styles are in the attribute `styleName`. */
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

// The work may pause at each yield. [Note: Slices]
function* purifySteps(
  html: string,
  options: SanitizeOptions,
  policy: MailBodyPolicy,
  /** Whether URLs in the text become links. */
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
  // Belongs to a document without a window, like `dirty`, so its pictures do not load.
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
    // The styles of a part apply only to that part.
    const scope = parts.length > 1 ? `kf-part-${randomHex(8)}` : null;
    box.setAttribute('class', scope === null ? 'mail-body' : `mail-body ${scope}`);
    if (boxStyle) box.setAttribute(shared.styleName, boxStyle);
    // The filter passes "<" only as an escape or before a space, so CSS cannot close the element.
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
 * Sanitizes the HTML of a message for the message frame. Never throws on hostile input; throws only
 * if the browser refuses the `mail-body` policy.
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
 * Sanitizes HTML for an editor (paste, drafts, signatures, quoted mail). Returns elements without
 * styles, of a document without a window. Pictures of the message keep their `cid:` URL and bitmaps
 * their `data:`; remote pictures are removed unless `allowRemote`. Only data tables stay tables;
 * `isPasted` makes that more likely.
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
 * {@link sanitizeMail} for the main thread of a page: after every few milliseconds of work, waits
 * for the promise of `pause`. If it rejects, the work ends.
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
