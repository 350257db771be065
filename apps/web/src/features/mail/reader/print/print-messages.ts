// Prints messages from a separate document: black on white, with people and date, the text with its
// links written out, and nothing of the surrounding page. The document is a frame under the same
// policy as the reading frame; it may open the print dialog but run no scripts.
// docs/interface.md#printing.
import { printReleaseMs } from '../../../../timing.ts';
import type { BodyView } from '../../state/view-model.ts';

export type PrintedMessage = {
  /** Labels such as "From" and "To" with their values. Empty ones are left out. */
  readonly head: readonly (readonly [label: string, value: string])[];
  readonly body: BodyView;
  readonly attachments: string;
};

const style = `
html { color-scheme: light; background: #fff; color: #000; }
body { margin: 0; font: 11pt/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 16pt; line-height: 1.25; margin: 0 0 10pt; }
section { margin: 0 0 18pt; }
header { break-inside: avoid; break-after: avoid; border-block-start: 1px solid #999; padding: 6pt 0; margin: 0 0 8pt; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 1pt 10pt; margin: 0; font-size: 10pt; }
dt { color: #444; } dd { margin: 0; overflow-wrap: anywhere; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.files { font-size: 10pt; color: #444; margin-block-start: 8pt; }
img { max-width: 100%; height: auto; } img[data-blocked] { display: none; }
table { max-width: 100%; } pre { white-space: pre-wrap; }
a[href^="http"]::after { content: " (" attr(href) ")"; font-size: 85%; overflow-wrap: anywhere; }
`;

function element(frame: Document, name: string, text = '', className = ''): HTMLElement {
  const made = frame.createElement(name);
  if (text !== '') made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

function bodyOf(frame: Document, body: BodyView): HTMLElement {
  if (body.kind === 'text' || body.kind === 'bounce') return element(frame, 'div', body.text, 'text');
  const box = element(frame, 'div');
  // Sanitized, as in the reading frame.
  if (body.kind === 'html') box.innerHTML = body.html;
  // A link whose text is its address is not written out again.
  for (const link of box.querySelectorAll('a[href]'))
    if (link.textContent?.trim() === link.getAttribute('href')) link.removeAttribute('href');
  return box;
}

/** Writes the messages into the document to print. */
export function fillPrint(frame: Document, subject: string, messages: readonly PrintedMessage[]): void {
  frame.title = subject;
  const sheet = frame.createElement('style');
  sheet.textContent = style;
  frame.head.append(sheet);
  frame.body.replaceChildren(element(frame, 'h1', subject));
  for (const { head, body, attachments } of messages) {
    const section = element(frame, 'section');
    const list = element(frame, 'dl');
    for (const [label, value] of head) {
      if (value !== '') list.append(element(frame, 'dt', label), element(frame, 'dd', value));
    }
    const header = element(frame, 'header');
    header.append(list);
    section.append(header, bodyOf(frame, body));
    if (attachments !== '') section.append(element(frame, 'p', attachments, 'files'));
    frame.body.append(section);
  }
}

async function withWhole(message: PrintedMessage): Promise<PrintedMessage> {
  const { body } = message;
  if (body.kind !== 'html' || body.openWhole === undefined) return message;
  return { ...message, body: { ...body, html: await body.openWhole() } };
}

const loaded = (frame: HTMLIFrameElement): Promise<Document> =>
  new Promise((resolve, reject) => {
    frame.onload = () => {
      if (frame.contentDocument === null) reject(new Error('Something failed'));
      else resolve(frame.contentDocument);
    };
  });

/** Opens the print dialog for these messages. */
export async function printMessages(subject: string, messages: readonly PrintedMessage[]): Promise<void> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.dataset.print = 'messages';
  frame.className = 'pointer-events-none fixed start-0 top-0 size-px opacity-0 print:hidden';
  frame.src = '/message-frame.html';
  const ready = loaded(frame);
  document.body.append(frame);
  try {
    const inner = await ready;
    fillPrint(inner, subject, await Promise.all(messages.map(withWhole)));
    await Promise.all(Array.from(inner.images, image => image.decode().catch(() => undefined)));
    frame.contentWindow?.print();
  } finally {
    // In some browsers `print()` returns immediately and the document is read later.
    setTimeout(() => frame.remove(), printReleaseMs);
  }
}
