// Runs inside Chromium: puts mails into frames, cleaned or as they are, and reports what the cleaned ones hold.

import {
  createMailBodyPolicy,
  type SanitisedMail,
  type SanitiseOptions,
  sanitiseMail,
  sanitiseMailInSlices,
} from '../src/sanitize/index.ts';

/** A mail to show, by name. */
export interface Mail {
  name: string;
  html: string;
}

/** Where to show: an ordinary frame that allows everything, or the product's frame. */
export type FrameKind = 'open' | 'product';

declare global {
  interface Window {
    showMails(mails: Mail[], kind: FrameKind, clean: boolean, waitMs: number): Promise<string[]>;
    sanitise(html: string, options: Pick<SanitiseOptions, 'allowRemote'>): SanitisedMail & { seen: string[] };
    sanitiseInSlices(html: string, endAfter?: number): Promise<{ html: string; pauses: number }>;
    tryPolicy(): string;
    violations: string[];
  }
}

window.violations = [];
const noteViolation = (event: SecurityPolicyViolationEvent) =>
  window.violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
document.addEventListener('securitypolicyviolation', noteViolation);

const BAD_ELEMENTS =
  'script,iframe,frame,object,embed,applet,link,base,meta,form,input,button,select,textarea,svg,math,template,noscript,' +
  'video,audio,source,track,picture,canvas,dialog,portal,noembed,xmp,plaintext,title';

/** What no clean mail may hold, found in the tree the browser built from it. */
function findBad(root: Document): string[] {
  const found: string[] = [];
  for (const element of root.body.querySelectorAll('*')) {
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

async function showOne(
  mail: Mail,
  kind: FrameKind,
  clean: boolean,
): Promise<{ frame: HTMLIFrameElement; bad: string[] }> {
  const frame = document.createElement('iframe');
  const html = clean ? sanitiseMail(mail.html).trusted : mail.html;
  if (kind === 'open') {
    frame.srcdoc = `<!doctype html><body>${html}`;
    // A body tag of the mail's own must be one: then nothing is put in front.
    if (!clean) frame.srcdoc = html;
    const loaded = new Promise(resolve => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    // Untouched mail may keep a frame loading for ever.
    await Promise.race([loaded, new Promise(resolve => setTimeout(resolve, clean ? 30_000 : 1_500))]);
    return { frame, bad: clean && frame.contentDocument ? findBad(frame.contentDocument) : [] };
  }
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.src = '/message-frame.html';
  const loaded = new Promise(resolve => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  const inner = frame.contentDocument as Document;
  if (clean) inner.addEventListener('securitypolicyviolation', noteViolation);
  inner.body.innerHTML = html;
  return { frame, bad: clean ? findBad(inner) : [] };
}

window.showMails = async (mails, kind, clean, waitMs) => {
  const shown = await Promise.all(mails.map(mail => showOne(mail, kind, clean)));
  await new Promise(resolve => setTimeout(resolve, waitMs));
  const bad = shown.flatMap(({ bad }, index) => bad.map(what => `${mails[index]?.name}: ${what}`));
  for (const { frame } of shown) frame.remove();
  return bad;
};

window.sanitise = (html, options) => {
  const seen: string[] = [];
  const result = sanitiseMail(html, {
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

window.sanitiseInSlices = async (html, endAfter = Number.POSITIVE_INFINITY) => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    // The policy must be shut while others have their turn.
    if (!window.tryPolicy().startsWith('refused')) throw new Error('The policy was open in a pause');
    if (pauses >= endAfter) throw new Error('Ended');
  };
  const result = await sanitiseMailInSlices(html, {}, pause).catch((error: Error) => ({
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
