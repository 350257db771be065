// Runs inside Chromium: puts messages into frames, sanitized or unchanged, and reports what the
// sanitized ones contain.

import {
  createMailBodyPolicy,
  type SanitizedMail,
  type SanitizeOptions,
  sanitizeMail,
  sanitizeMailInSlices,
} from '../src/sanitize/index.ts';

/** A message to show, by name. */
export type Mail = {
  name: string;
  html: string;
};

/** Where to show it: an ordinary frame that allows everything, or the product's frame. */
export type FrameKind = 'open' | 'product';

declare global {
  interface Window {
    showMails(mails: Mail[], kind: FrameKind, clean: boolean, waitMs: number): Promise<string[]>;
    sanitize(html: string, options: Pick<SanitizeOptions, 'allowRemote'>): SanitizedMail & { seen: string[] };
    sanitizeInSlices(html: string, endAfter?: number): Promise<{ html: string; pauses: number }>;
    tryPolicy(): string;
    violations: string[];
  }
}

window.violations = [];
const noteViolation = (event: SecurityPolicyViolationEvent) =>
  window.violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
document.addEventListener('securitypolicyviolation', noteViolation);

/**
 * Number of sanitized messages per frame: creating a frame takes longer than rendering its content.
 */
const MAILS_TOGETHER = 20;
/** Maximum wait for a frame to load. */
const CLEAN_LIMIT_MS = 30_000;
const UNTOUCHED_LIMIT_MS = 1_500;

const BAD_ELEMENTS =
  'script,iframe,frame,object,embed,applet,link,base,meta,form,input,button,select,textarea,svg,math,template,noscript,' +
  'video,audio,source,track,picture,canvas,dialog,portal,noembed,xmp,plaintext,title';

/** Finds forbidden content of a sanitized message, in the tree the browser built from it. */
function findBad(root: Element): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (element.matches(BAD_ELEMENTS)) found.push(`<${element.localName}>`);
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(`foreign <${element.localName}>`);
    for (const { name, value } of element.attributes) {
      if (/^on|^(?:srcset|background|poster|ping|action|formaction|xlink:href|srcdoc)$/i.test(name))
        found.push(name);
      if (name === 'href' && !/^(?:https?:|mailto:|tel:|#)/.test(value)) found.push(`href ${value}`);
      if (name === 'src' && !/^(?:data:image\/|blob:)/.test(value)) found.push(`src ${value}`);
    }
  }
  return found;
}

/**
 * Returns a frame with this content, or the product's frame, once it has loaded or the time limit
 * has passed.
 */
async function openFrame(kind: FrameKind, html: string, limitMs: number): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  if (kind === 'open') frame.srcdoc = html;
  else {
    frame.setAttribute('sandbox', 'allow-same-origin');
    frame.src = '/message-frame.html';
  }
  const loaded = new Promise(resolve => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await Promise.race([loaded, new Promise(resolve => setTimeout(resolve, limitMs))]);
  return frame;
}

async function showUntouched({ html }: Mail, kind: FrameKind): Promise<Shown> {
  // Nothing is put in front, so that the message's own body tag counts. The message may also keep
  // the frame loading indefinitely.
  const frame = await openFrame(kind, html, kind === 'open' ? UNTOUCHED_LIMIT_MS : CLEAN_LIMIT_MS);
  if (kind === 'product') (frame.contentDocument as Document).body.innerHTML = html;
  return { frames: [frame], bad: [] };
}

type Clean = { readonly name: string; readonly html: string; readonly trusted: SanitizedMail['trusted'] };
type Shown = { readonly frames: HTMLIFrameElement[]; readonly bad: string[] };

/**
 * Shows sanitized messages in one frame, each in an element of its own. In an ordinary frame the
 * parser sees them as one text: if one of them reaches into the next, each is shown alone.
 */
async function showTogether(mails: readonly Clean[], kind: FrameKind): Promise<Shown> {
  const parts = mails.map(({ html }) => `<div data-mail>${html}</div>`);
  const frame = await openFrame(kind, `<!doctype html><body>${parts.join('')}`, CLEAN_LIMIT_MS);
  const inner = frame.contentDocument as Document;
  if (kind === 'product') {
    inner.addEventListener('securitypolicyviolation', noteViolation);
    for (const { trusted } of mails) {
      const part = inner.createElement('div');
      part.setAttribute('data-mail', '');
      inner.body.append(part);
      part.innerHTML = trusted;
    }
  }
  const shown = [...inner.body.children];
  const isWhole =
    shown.length === mails.length &&
    shown.every(part => part.matches('[data-mail]')) &&
    inner.querySelectorAll('[data-mail]').length === mails.length;
  if (!isWhole && mails.length > 1) {
    const alone = await Promise.all(mails.map(mail => showTogether([mail], kind)));
    return {
      frames: [frame, ...alone.flatMap(({ frames }) => frames)],
      bad: alone.flatMap(({ bad }) => bad),
    };
  }
  const roots = isWhole ? shown : [inner.body];
  return {
    frames: [frame],
    bad: roots.flatMap((root, index) => findBad(root).map(what => `${mails[index]?.name}: ${what}`)),
  };
}

/**
 * Sanitizes messages and groups them: identical results are shown once, and a style sheet reaches
 * no other message.
 */
function cleanInGroups(mails: readonly Mail[]): Clean[][] {
  const results = new Map<string, Clean>();
  for (const { name, html: raw } of mails) {
    const { html, trusted } = sanitizeMail(raw);
    if (!results.has(html)) results.set(html, { name, html, trusted });
  }
  const groups: Clean[][] = [];
  let open: Clean[] = [];
  for (const mail of results.values()) {
    if (/<style/i.test(mail.html)) groups.push([mail]);
    else if (open.push(mail) === 1) groups.push(open);
    if (open.length === MAILS_TOGETHER) open = [];
  }
  return groups;
}

window.showMails = async (mails, kind, clean, waitMs) => {
  const shown = await Promise.all(
    clean
      ? cleanInGroups(mails).map(group => showTogether(group, kind))
      : mails.map(mail => showUntouched(mail, kind)),
  );
  await new Promise(resolve => setTimeout(resolve, waitMs));
  for (const { frames } of shown) for (const frame of frames) frame.remove();
  return shown.flatMap(({ bad }) => bad);
};

window.sanitize = (html, options) => {
  const seen: string[] = [];
  const result = sanitizeMail(html, {
    ...options,
    resolveCid: id => (id === 'known@x' ? 'blob:known' : null),
    rewriteLink: url => `https://link.example/?${encodeURIComponent(url)}`,
    rewriteRemote: url => {
      seen.push(url);
      return url;
    },
  });
  return { ...result, trusted: String(result.trusted), seen };
};

window.sanitizeInSlices = async (html, endAfter = Number.POSITIVE_INFINITY) => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    // The policy must be closed while other tasks run.
    if (!window.tryPolicy().startsWith('refused')) throw new Error('The policy was open in a pause');
    if (pauses >= endAfter) throw new Error('Ended');
  };
  const result = await sanitizeMailInSlices(html, {}, pause).catch((error: Error) => ({
    html: error.message,
  }));
  return { html: result.html, pauses };
};

window.tryPolicy = () => {
  try {
    return `accepted ${createMailBodyPolicy().createHTML('<img src=x onerror=alert(1)>')}`;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};
