// Builds the reader's view of one message from the message, its decrypted content and what is known
// of its sender. HTML is sanitized here, on its way to the frame, and never stored sanitized.
// Inline pictures become blob: URLs.

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

/** Id of an attachment, from its position in the message. */
export const attachmentId = (index: number): string => String(index);

const shownIdsOf = new WeakMap<Parsed, ReadonlySet<string>>();

/** Returns the Content-IDs that a message references. Cached, because its HTML may be long. */
function shownIdsIn(parsed: Parsed): ReadonlySet<string> {
  const ids = shownIdsOf.get(parsed) ?? contentIdsIn(parsed.html);
  shownIdsOf.set(parsed, ids);
  return ids;
}

/** Returns the attachments listed below a message, without pictures shown in its text. */
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
 * Returns inline pictures as blob: URLs by Content-ID; `release` frees their memory. Larger ones
 * are fetched as encrypted blobs, from our own server only. Unavailable pictures are missing.
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
 * Returns whether a message sets significant colors: a background, or text that is not just black.
 * Mail programs add their own black or white even to messages without styling.
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

/** Returns the body for rendering when there is no HTML to sanitize, else null. */
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
  // The service writes plain text. A notice in HTML is not genuine and is shown as text only.
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
 * Returns the HTML body for rendering, and what was blocked in it. `remote` contains the fetched
 * pictures; null blocks all. A long body is cut to its beginning unless `isWhole`. `pause` yields
 * to the page, and stops the work by rejecting.
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

/** Returns whether a reply would reach a reader, which excludes service notices and bounces. */
export const canBeAnswered = ({ isNotice, body }: Pick<MessageView, 'isNotice' | 'body'>): boolean =>
  !isNotice && body.kind !== 'bounce';

/** Returns whether a reply to all goes to more than one person besides the user. */
export function hasManyPeople(
  { from, to, cc }: Pick<MessageView, 'from' | 'to' | 'cc'>,
  ownAddresses: ReadonlySet<string>,
): boolean {
  const people = new Set([from, ...to, ...cc].map(({ address }) => address.toLowerCase()));
  return [...people].filter(address => address !== '' && !ownAddresses.has(address)).length > 1;
}

/**
 * Returns the view of a collapsed message whose sender verdict is known, which its row does not
 * contain.
 */
export const toJudgedView = (row: MailRowData, whole: WholeMail, proof: SenderProof): MessageView => ({
  ...toClosedView(row),
  security: securityOf(row, whole, proof),
});

// A scheduled message is later sent as the same message, which may have been opened before: only
// the row says whether it still waits. Rows also identify copies, because they are opened together,
// while a message is opened alone.
const securityOf = ({ mail, opened }: MailRowData, { mail: full, content }: WholeMail, proof: SenderProof) =>
  toSecurityView(
    { ...full, scheduled: mail.scheduled, send_at: mail.send_at },
    opened.isCopy ? { ...content, isCopy: true } : content,
    proof,
  );

/** Returns the view of a collapsed or not yet opened message, from its summary. */
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

/** Messages with a longer delay show it. */
const USUAL_DELAY_MS = 3_600_000;

function writtenOf(parsed: ParsedMessage, receivedAt: string): MessageView['written'] {
  const { date } = parsed;
  const isZoneless = parsed.isZoneless === true;
  const at = Date.parse(date ?? '');
  if (date === null || Number.isNaN(at)) return null;
  return isZoneless || Math.abs(at - Date.parse(receivedAt)) > USUAL_DELAY_MS ? { date, isZoneless } : null;
}

/**
 * Returns the view of an opened message. Everything shown comes from the body: the summary is only
 * the sealer's claim, for use as a preview.
 */
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
    // The row has the current place: the message may have been opened before it went to Spam.
    unsubscribe: findUnsubscribe({ ...whole.mail, flagged: row.mail.flagged }, whole.content),
  };
}
