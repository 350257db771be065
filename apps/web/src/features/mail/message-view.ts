// What the reader shows of one mail, made of the mail, its opened content and what is known of its sender. HTML is
// sanitised here, on its way to the frame and never stored sanitised; inline pictures become blob: addresses.
import { sanitiseMailInSlices } from '@keyfold/mail/sanitize';
import { fileNameOf } from '../../lib/file-names.ts';
import { openMailFile } from './attachments.ts';
import type { MailRowData } from './mail-cache.ts';
import type { WholeMail } from './queries.ts';
import { placeholderWords } from './row-view.ts';
import { type SenderProof, toSecurityView } from './security-view.ts';
import type { AttachmentView, BodyView, MessageView, PersonView, RemoteContentView } from './view-model.ts';

type Parsed = WholeMail['content']['parsed'];

const nobody: PersonView = { name: '', address: '' };

/** A file of a mail by its place in it. */
export const attachmentId = (index: number): string => String(index);

const isShownInline = (file: Parsed['attachments'][number]): boolean =>
  file.related && file.contentId !== null;

/** The files of a mail that stand under it; pictures shown inside the text are left out. */
export function toAttachmentViews(parsed: Parsed): AttachmentView[] {
  return parsed.attachments.flatMap((file, index): AttachmentView[] =>
    isShownInline(file)
      ? []
      : [
          {
            id: attachmentId(index),
            name: fileNameOf(file),
            sizeBytes: file.external?.sizeBytes ?? file.content.byteLength,
            mimeType: file.mimeType,
            state: 'ready',
            progressPercent: null,
            canPreview: false,
          },
        ],
  );
}

const bareId = (contentId: string): string => contentId.replace(/^<|>$/g, '');

const isPicture = ({ mimeType }: Parsed['attachments'][number]): boolean =>
  /^image\//i.test(mimeType) && !/svg/i.test(mimeType);

/**
 * Inline pictures by Content-ID as blob: addresses; `release` gives their memory back. Larger ones are fetched in their
 * sealed containers, from our own server only. One that cannot be had is missing.
 */
export async function openInlinePictures(parsed: Parsed): Promise<{
  readonly find: (cid: string) => string | null;
  readonly release: () => void;
}> {
  const html = parsed.html ?? '';
  const opened = await Promise.all(
    parsed.attachments
      .filter(file => file.contentId !== null && isPicture(file) && /cid:/i.test(html))
      .map(async file => [bareId(file.contentId ?? ''), await openMailFile(file).catch(() => null)] as const),
  );
  const urls = new Map(
    opened.flatMap(([cid, blob]) => (blob === null ? [] : [[cid, URL.createObjectURL(blob)] as const])),
  );
  return {
    find: cid => urls.get(bareId(cid)) ?? null,
    release: () => {
      for (const url of urls.values()) URL.revokeObjectURL(url);
    },
  };
}

const hasOwnColors = (html: string): boolean => /(?:color|background)\s*[:=]|bgcolor/i.test(html);

export type ShownBody = { readonly body: BodyView; readonly remote: RemoteContentView | null };

/** The body as it is painted, when there is no HTML to clean; null when there is. */
export function toPlainBody({ kind, parsed, failed }: WholeMail['content']): ShownBody | null {
  if (failed !== null) return { body: { kind: 'failed' }, remote: null };
  if (kind === 'placeholder')
    return { body: { kind: 'text', text: placeholderWords.text, recovered: false }, remote: null };
  if (parsed.html !== null) return null;
  if (parsed.text === null || parsed.text.trim() === '') return { body: { kind: 'empty' }, remote: null };
  return { body: { kind: 'text', text: parsed.text, recovered: parsed.recovered }, remote: null };
}

/** The HTML body as it is painted, and what was held back. `pause` lets the page breathe, and ends the work by rejecting. */
export async function toHtmlBody(
  { parsed }: WholeMail['content'],
  allowRemote: boolean,
  findPicture: (cid: string) => string | null,
  pause: () => Promise<void> | null,
): Promise<ShownBody> {
  const options = { allowRemote, resolveCid: findPicture };
  const { html, blockedRemote, trackers } = await sanitiseMailInSlices(parsed.html ?? '', options, pause);
  return {
    body: { kind: 'html', html, hasOwnColors: hasOwnColors(html), recovered: parsed.recovered },
    remote: blockedRemote > 0 ? { blockedImages: blockedRemote, knownTrackers: trackers } : null,
  };
}

/** A closed or not yet opened mail: what its summary tells. */
export function toClosedView(row: MailRowData): MessageView {
  const { mail, opened } = row;
  const { summary } = opened;
  return {
    id: mail.id,
    from: summary.from,
    to: summary.to,
    cc: summary.cc,
    bcc: [],
    date: mail.received_at,
    snippet: opened.failed ?? summary.snippet,
    unread: !mail.read,
    security:
      opened.failed === null
        ? null
        : { kind: 'failed', person: summary.from.name || summary.from.address, details: [] },
    body: { kind: 'loading' },
    remote: null,
    attachments: [],
  };
}

/** An opened mail. Everything shown is from the body: the list's summary is only its sealer's word for a preview. */
export function toOpenView(
  row: MailRowData,
  whole: WholeMail,
  shown: ShownBody,
  proof: SenderProof,
): MessageView {
  const { parsed } = whole.content;
  return {
    ...toClosedView(row),
    from: parsed.from ?? nobody,
    to: parsed.to,
    cc: parsed.cc,
    bcc: parsed.bcc,
    security: toSecurityView(whole.mail, whole.content, proof),
    body: shown.body,
    remote: shown.remote,
    attachments: whole.content.failed === null ? toAttachmentViews(parsed) : [],
  };
}
