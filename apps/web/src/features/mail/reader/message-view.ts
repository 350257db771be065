// What the reader shows of one mail, made of the mail, its opened content and what is known of its sender. HTML is
// sanitised here, on its way to the frame and never stored sanitised; inline pictures become blob: addresses.

import { UNREADABLE_MAIL } from '@keyfold/contract/unreadable';
import { isReportPart, readDeliveryReport } from '@keyfold/mail/mime/delivery-status';
import { htmlToText } from '@keyfold/mail/mime/html-text';
import { contentIdsIn, isShownInline } from '@keyfold/mail/mime/inline-files';
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { sanitizeMailInSlices } from '@keyfold/mail/sanitize';
import { fileNameOf } from '../../../lib/file-names.ts';
import { t } from '../../../lib/language.ts';
import { createPauses } from '../../../lib/pauses.ts';
import { WORK_SLICE_MS } from '../../../timing.ts';
import { previewKindOf } from '../attachments/preview-kind.ts';
import { headOfHtml } from '../frame/body-head.ts';
import { isForwardSubject } from '../frame/frame-quotes.ts';
import { openMailFile } from '../state/attachments.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import type { WholeMail } from '../state/queries.ts';
import { failureOf, placeholderWords, serviceItself } from '../state/row-view.ts';
import { findUnsubscribe } from '../state/unsubscribe.ts';
import type {
  AttachmentView,
  BodyView,
  MessageView,
  PersonView,
  RemoteContentView,
} from '../state/view-model.ts';
import type { RemoteProgress } from './conversation/use-remote-pictures.ts';
import { noticeActions, noticeText } from './notice-words.ts';
import { type SenderProof, toSecurityView } from './safety/security-view.ts';

type Parsed = WholeMail['content']['parsed'];

const nobody: PersonView = { name: '', address: '' };

/** A file of a mail by its place in it. */
export const attachmentId = (index: number): string => String(index);

const shownIdsOf = new WeakMap<Parsed, ReadonlySet<string>>();

/** The Content-IDs that a mail names, looked for once: its HTML may be long. */
function shownIdsIn(parsed: Parsed): ReadonlySet<string> {
  const ids = shownIdsOf.get(parsed) ?? contentIdsIn(parsed.html);
  shownIdsOf.set(parsed, ids);
  return ids;
}

/** The files of a mail that stand under it; pictures shown inside the text are left out. */
export function toAttachmentViews(parsed: Parsed): AttachmentView[] {
  const shownIds = shownIdsIn(parsed);
  return parsed.attachments.flatMap((file, index): AttachmentView[] => {
    if (isShownInline(file, shownIds) || isReportPart(file)) return [];
    const name = fileNameOf(file);
    const sizeBytes = file.external?.sizeBytes ?? file.content.byteLength;
    return [
      {
        id: attachmentId(index),
        name,
        sizeBytes,
        mimeType: file.mimeType,
        state: 'ready',
        progressPercent: null,
        canPreview: previewKindOf(file.mimeType, name, sizeBytes) !== null,
        isUnpacked: file.isUnpacked === true,
      },
    ];
  });
}

const bareId = (contentId: string): string => contentId.replace(/^<|>$/g, '');

/**
 * Inline pictures by Content-ID as blob: addresses; `release` gives their memory back. Larger ones are fetched in their
 * sealed containers, from our own server only. One that cannot be had is missing.
 */
export async function openInlinePictures(parsed: Parsed): Promise<{
  readonly find: (cid: string) => string | null;
  readonly release: () => void;
}> {
  const shownIds = shownIdsIn(parsed);
  const opened = await Promise.all(
    parsed.attachments
      .filter(file => isShownInline(file, shownIds))
      .map(
        async file =>
          [bareId(file.contentId ?? '').toLowerCase(), await openMailFile(file).catch(() => null)] as const,
      ),
  );
  const urls = new Map(
    opened.flatMap(([cid, blob]) => (blob === null ? [] : [[cid, URL.createObjectURL(blob)] as const])),
  );
  return {
    find: cid => urls.get(bareId(cid).toLowerCase()) ?? null,
    release: () => {
      for (const url of urls.values()) URL.revokeObjectURL(url);
    },
  };
}

/**
 * Whether a mail sets colours that count: a ground, or words in more than black. Mail programs write a black or white of
 * their own into mail that has no look at all.
 */
export function hasOwnColors(html: string): boolean {
  const plain =
    /^(?:inherit|initial|unset|currentcolor|transparent|none|window(?:text)?|black|#000(?:000)?|rgba?\(0,\s*0,\s*0(?:,\s*[\d.]+)?\)|white|#fff(?:fff)?|rgb\(255,\s*255,\s*255\)|#(?:222222|212121|1f497d|0563c1|954f72))$/i;
  for (const [, value] of html.matchAll(
    /(?:^|[^-\w])(?:background-color|background|color)\s*:\s*([^;"}]+)/gi,
  ))
    if (!plain.test((value ?? '').replace(/!important|&quot;/gi, '').trim())) return true;
  for (const [, value] of html.matchAll(/\s(?:bgcolor|color)="([^"]*)"/gi))
    if (!plain.test((value ?? '').trim())) return true;
  return false;
}

export type ShownBody = { readonly body: BodyView; readonly remote: RemoteContentView | null };

const isForward = (parsed: Parsed): boolean => isForwardSubject(parsed.subject ?? '');

/** The body as it is painted, when there is no HTML to clean; null when there is. */
export function toPlainBody({ kind, parsed, failed }: WholeMail['content']): ShownBody | null {
  if (failed !== null) return { body: { kind: 'failed' }, remote: null };
  const isNotice = kind === 'alert';
  const asText = (text: string, recovered: boolean): ShownBody => ({
    body: {
      kind: 'text',
      text,
      recovered,
      isForward: isForward(parsed),
      isNotice,
      ...(isNotice ? { actions: noticeActions(parsed) } : {}),
    },
    remote: null,
  });
  if (kind === 'placeholder') return asText(t(placeholderWords.text), false);
  // The service writes plain text: a notice in HTML is not its own, and shows no more than its words.
  if (isNotice)
    return asText(noticeText(parsed) ?? parsed.text ?? htmlToText(parsed.html ?? ''), parsed.recovered);
  const report = readDeliveryReport(parsed.attachments);
  if (report !== null) {
    const text = parsed.text ?? htmlToText(parsed.html ?? '');
    return { body: { kind: 'bounce', report, text }, remote: null };
  }
  if (parsed.html !== null) return null;
  if (parsed.text === null || parsed.text.trim() === '') return { body: { kind: 'empty' }, remote: null };
  return asText(parsed.text, parsed.recovered);
}

/**
 * The HTML body as it is painted, and what was held back of it. `remote` has the pictures that were fetched; null keeps all out.
 * Of a long body that is not `isWhole` it is the beginning.
 * `pause` lets the page breathe, and ends the work by rejecting.
 */
export async function toHtmlBody(
  { parsed }: WholeMail['content'],
  remote: RemoteProgress | null,
  findPicture: (cid: string) => string | null,
  pause: () => Promise<void> | null,
  isWhole = false,
): Promise<ShownBody> {
  const options = {
    allowRemote: remote !== null,
    rewriteRemote: (url: string) => remote?.pictures.get(url) ?? null,
    resolveCid: findPicture,
  };
  const whole = parsed.html ?? '';
  const head = isWhole ? null : headOfHtml(whole);
  const { html, blockedRemote, trackers, remoteUrls } = await sanitizeMailInSlices(
    head ?? whole,
    options,
    pause,
  );
  const openWhole = async () => {
    const pauses = createPauses(WORK_SLICE_MS, new AbortController().signal);
    return (await sanitizeMailInSlices(whole, options, pauses)).html;
  };
  const loading =
    remote === null
      ? null
      : { done: remote.done, total: remote.total, failed: remote.done - remote.pictures.size };
  const knownTrackers = trackers + (remote?.hidden ?? 0);
  const isToTell =
    loading === null ? blockedRemote > 0 : loading.done < loading.total || loading.failed + knownTrackers > 0;
  return {
    body: {
      kind: 'html',
      html,
      hasOwnColors: hasOwnColors(html),
      recovered: parsed.recovered,
      isForward: isForward(parsed),
      ...(head === null ? {} : { openWhole }),
    },
    remote: isToTell
      ? {
          blockedImages: blockedRemote,
          knownTrackers,
          urls: remoteUrls,
          loading,
        }
      : null,
  };
}

/** Whether somebody would read an answer: neither the service nor a notice about mail that was not delivered. */
export const canBeAnswered = ({ isNotice, body }: Pick<MessageView, 'isNotice' | 'body'>): boolean =>
  !isNotice && body.kind !== 'bounce';

/** Whether an answer to all goes to more people than one beside oneself. */
export function hasManyPeople(
  { from, to, cc }: Pick<MessageView, 'from' | 'to' | 'cc'>,
  ownAddresses: ReadonlySet<string>,
): boolean {
  const people = new Set([from, ...to, ...cc].map(({ address }) => address.toLowerCase()));
  return [...people].filter(address => address !== '' && !ownAddresses.has(address)).length > 1;
}

/** A closed mail of which more is known than its row tells: the verdict on its sender. */
export const toJudgedView = (row: MailRowData, whole: WholeMail, proof: SenderProof): MessageView => ({
  ...toClosedView(row),
  security: securityOf(row, whole, proof),
});

// A letter that waited goes out as the same mail, which was opened before: whether it waits is the row's to say.
// Of a copy the rows know more: they are opened together, a mail alone.
const securityOf = ({ mail, opened }: MailRowData, { mail: full, content }: WholeMail, proof: SenderProof) =>
  toSecurityView(
    { ...full, scheduled: mail.scheduled, send_at: mail.send_at },
    opened.isCopy ? { ...content, isCopy: true } : content,
    proof,
  );

/** A closed or not yet opened mail: what its summary tells. */
export function toClosedView(row: MailRowData): MessageView {
  const { mail, opened } = row;
  const { summary } = opened;
  return {
    id: mail.id,
    from: mail.alert ? serviceItself : summary.from,
    to: summary.to,
    cc: summary.cc,
    bcc: [],
    date: mail.received_at,
    written: null,
    snippet: failureOf(opened.failed) ?? (mail.alert ? t(summary.snippet) : summary.snippet),
    unread: !mail.read,
    security:
      opened.failed === null
        ? null
        : {
            kind: 'failed',
            ...(opened.failed === UNREADABLE_MAIL ? { cause: 'unreadable' } : {}),
            person: summary.from.name || summary.from.address,
            details: [],
            confirmedDomain: null,
            sendAt: null,
            isSenderProven: false,
            inContacts: false,
            warnings: [],
          },
    body: { kind: 'loading' },
    remote: null,
    attachments: [],
    isDraft: mail.draft,
    isNotice: mail.alert,
    isSpam: mail.flagged,
    unsubscribe: null,
  };
}

/** Mail that is under way for longer says so. */
const USUAL_DELAY_MS = 3_600_000;

function writtenOf(parsed: ParsedMessage, receivedAt: string): MessageView['written'] {
  const { date } = parsed;
  const isZoneless = parsed.isZoneless === true;
  const at = Date.parse(date ?? '');
  if (date === null || Number.isNaN(at)) return null;
  return isZoneless || Math.abs(at - Date.parse(receivedAt)) > USUAL_DELAY_MS ? { date, isZoneless } : null;
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
    from: row.mail.alert ? serviceItself : (parsed.from ?? nobody),
    to: parsed.to,
    cc: parsed.cc,
    bcc: parsed.bcc,
    written: row.mail.alert ? null : writtenOf(parsed, row.mail.received_at),
    security: securityOf(row, whole, proof),
    body: shown.body,
    remote: shown.remote,
    attachments:
      whole.content.kind === 'mail' && whole.content.failed === null ? toAttachmentViews(parsed) : [],
    // Where it is now is the row's to say: it may have been opened before it went to Spam.
    unsubscribe: findUnsubscribe({ ...whole.mail, flagged: row.mail.flagged }, whole.content),
  };
}
