// Opens drafts: new messages, replies, stored drafts, and those that a lost tab left on this
// device. Opening creates the message key in the worker or loads it there. composers.ts decides
// where they are shown.
import type { Email } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { keys } from '../../../crypto/key-client.ts';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import type { Person } from '../../../crypto/mail/outgoing-message.ts';
import { fileNameOf } from '../../../lib/file-names.ts';
import { t } from '../../../lib/language.ts';
import { randomId } from '../../../lib/random-id.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import { takeSharedFiles } from '../../../session/shared-files.ts';
import { getUser } from '../../../session/state/current-user.ts';
import { heldDraftRetryMs } from '../../../timing.ts';
import { showToast } from '../../../ui/toasts.ts';
import { referredFiles, storedFile } from '../draft/draft-files.ts';
import { askForDraft, type Held, holdDraft, onDraftWanted } from '../draft/draft-locks.ts';
import { createDraftSession, type DraftSession } from '../draft/draft-session.ts';
import { type Addressee, addresseesOf, type DraftFile, type DraftState } from '../draft/draft-state.ts';
import { type DraftCopy, dropCopy, listCopies } from '../draft/local-copies.ts';
import { splitHtml } from '../draft/message-body.ts';
import { readSchedule } from '../draft/scheduled-record.ts';
import { htmlOfText } from '../rich/rich-doc.ts';
import type { Opening } from '../text/answers.ts';
import { cleanQuote, makeQuote } from '../text/quotes.ts';
import {
  addComposer,
  changeComposer,
  dropComposer,
  hasRoom,
  listComposers,
  type OpenComposer,
  takeBackDiscarded,
  whenClosed,
} from './composer-list.ts';

const unasked = (person: Addressee['person']): Addressee => ({ person, keys: null, isInvalid: false });

function newState(handle: string, change: Partial<DraftState>): DraftState {
  const { email, name } = getUser();
  return {
    handle,
    from: { name, address: email },
    to: [],
    cc: [],
    bcc: [],
    subject: '',
    text: '',
    html: '',
    isFormatted: false,
    quote: null,
    signatureId: null,
    signatureText: '',
    inReplyTo: null,
    references: [],
    files: [],
    draftId: null,
    save: { kind: 'new' },
    phase: 'writing',
    wait: null,
    sendError: null,
    ...change,
  };
}

function show(session: DraftSession, under: string | null, mode: OpenComposer['mode'] | null = null): void {
  const { handle, to, cc, bcc } = session.state();
  for (const people of [to, cc, bcc])
    if (people.length > 0) void session.lookUp(people).catch(() => undefined);
  addComposer({
    handle,
    session,
    mode: mode ?? (under === null ? 'docked' : 'inline'),
    under,
    showsCcBcc: cc.length + bcc.length > 0,
    wantsFocus: mode !== 'minimized',
  });
}

/** Shows a draft with a session that was started elsewhere. */
export const showDraft = (session: DraftSession): void => show(session, null);

/**
 * Returns the initial content of a draft: a forwarded message is part of the text, an answered one
 * is folded under it.
 */
async function beginningOf({ text, quoted }: Partial<Opening>): Promise<Partial<DraftState>> {
  const quotes = await Promise.all((quoted ?? []).map(makeQuote));
  const own = text ? { text, html: htmlOfText(text) } : {};
  if (quoted?.[0]?.kind !== 'forward') return { ...own, quote: quotes[0] ?? null };
  return {
    text: `${text ?? ''}\n\n${quotes.map(quote => quote.text).join('\n\n')}`,
    html: `${own.html ?? ''}<p></p>${quotes.map(quote => quote.html).join('')}`,
    isFormatted: true,
  };
}

/** Opens a new message or a reply; see openComposer. */
export async function openDraftWindow(
  opening: Partial<Opening>,
  under: string | null,
  stored: readonly DraftFile[],
  files: readonly File[],
): Promise<void> {
  if (under === null && !hasRoom()) return;
  const handle = randomId();
  const wrap = keys().openNewDraft(handle);
  wrap.catch(() => showToast({ tone: 'danger', text: t('Something failed') }));
  const beginning = await beginningOf(opening);
  const { name, email, addresses, default_address: usual = email } = getUser();
  const from = [email, ...addresses].find(address => address.toLowerCase() === opening.from);
  const state = newState(handle, {
    from: { name, address: from ?? usual },
    to: opening.to?.map(unasked) ?? [],
    cc: opening.cc?.map(unasked) ?? [],
    bcc: opening.bcc?.map(unasked) ?? [],
    subject: opening.subject ?? '',
    ...beginning,
    inReplyTo: opening.inReplyTo ?? null,
    references: opening.references ?? [],
    files: stored,
  });
  const session = createDraftSession(state, wrap);
  show(session, under);
  const given = under === null ? [...files, ...takeSharedFiles()] : files;
  if (given.length > 0) session.files.add(given);
  for (const { file, contentId } of opening.pictures ?? []) session.files.add([file], contentId);
}

/**
 * A message that is sent without a composer. `from` lists candidate addresses; the first one that
 * belongs to the user is used.
 */
export type ShortDraft = Pick<Opening, 'to' | 'subject' | 'text'> & {
  readonly from: readonly string[];
};

/**
 * Sends immediately, without signature and without a composer. Rejects with the reason and then
 * leaves no draft.
 */
export async function sendShort({ to, from, subject, text }: ShortDraft): Promise<void> {
  const { name, email, addresses } = getUser();
  const own = new Set([email, ...addresses].map(address => address.toLowerCase()));
  const used = ownAddress(from.find(address => own.has(address.toLowerCase())));
  const handle = randomId();
  const wrap = keys().openNewDraft(handle);
  await wrap;
  const state = newState(handle, {
    from: { name, address: used },
    to: to.map(unasked),
    subject,
    text,
    html: null,
  });
  const session = createDraftSession(state, wrap);
  try {
    await session.lookUp(addresseesOf(session.state()));
    await session.send({ undoSeconds: 0 });
  } finally {
    session.rest();
    await session.finish();
  }
}

/**
 * Opens the user's own message again as a new one for these recipients. With `isSentAtOnce` the
 * composer sends it automatically, unless something needs a review first.
 */
export async function openAgain(
  { parsed }: OpenedMail,
  to: readonly Person[],
  isSentAtOnce: boolean,
): Promise<void> {
  if (!hasRoom()) return;
  const handle = randomId();
  const wrap = keys().openNewDraft(handle);
  wrap.catch(() => showToast({ tone: 'danger', text: t('Something failed') }));
  const body = await bodyOf({ parsed });
  const state = newState(handle, {
    from: { name: getUser().name, address: ownAddress(parsed.from?.address) },
    to: to.map(unasked),
    subject: parsed.subject ?? '',
    ...body,
    html: body.html ?? htmlOfText(body.text),
    inReplyTo: parsed.inReplyTo,
    references: parsed.references?.split(/\s+/).filter(id => id !== '') ?? [],
    files: referredFiles(parsed.attachments),
  });
  const session = createDraftSession(state, wrap);
  for (const file of parsed.attachments.filter(({ external }) => external === null)) {
    const contentId = file.contentId?.replace(/^<|>$/g, '');
    session.files.add(
      [new File([file.content as BlobPart], fileNameOf(file), { type: file.mimeType })],
      contentId !== undefined && state.html?.includes(`cid:${contentId}`) ? contentId : undefined,
    );
  }
  show(session, null);
  if (isSentAtOnce) changeComposer(handle, { sendsItself: true });
}

/** Maximum size of a container's header, in bytes. */
const CONTAINER_HEAD_BYTES = 70_000;

/**
 * Returns files that were uploaded before the draft that refers to them was saved; skips files that
 * cannot be opened.
 */
async function findUnnamed(handle: string, mail: Email, named: ReadonlySet<string>): Promise<DraftFile[]> {
  const found = mail.attachments
    .filter(({ id }) => !named.has(id))
    .map(async ({ id }) => {
      const range = { headers: { range: `bytes=0-${CONTAINER_HEAD_BYTES - 1}` } };
      const answer = (await sendingClient.attachment({ id }, range)) as { readonly bytes?: Blob };
      const head = new Uint8Array((await answer.bytes?.arrayBuffer()) ?? []);
      const file = await keys().recoverFile(handle, id, head);
      return storedFile(id, file.fileKeyB64, file.name, file.type, file.sizeBytes);
    });
  return (await Promise.allSettled(found)).flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Returns the content of a stored draft; one that was saved as plain text opens as plain text. */
async function bodyOf({
  parsed,
}: Pick<OpenedMail, 'parsed'>): Promise<Pick<DraftState, 'text' | 'html' | 'isFormatted' | 'quote'>> {
  const text = (parsed.text ?? '').replace(/\n$/, '');
  if (!parsed.html) return { text, html: parsed.text ? null : '', isFormatted: false, quote: null };
  const { html, quote } = splitHtml(parsed.html);
  return { text, html, isFormatted: true, quote: quote === null ? null : await cleanQuote(quote) };
}

/** Fetches the current version of a draft from the server. */
export type LoadDraft = () => Promise<{ readonly mail: Email; readonly content: OpenedMail }>;

/** Opens a stored draft; see openDraft. */
export async function openStored(id: string, load: LoadDraft): Promise<void> {
  // A copy on this device is newer than the server's version.
  await restoreDrafts().catch(() => undefined);
  if (takeBackDiscarded(id)) return;
  const open = listComposers().find(one => one.session.state().draftId === id);
  if (open !== undefined) return changeComposer(open.handle, { mode: 'docked', wantsFocus: true });
  if (!hasRoom()) return;
  await whenClosed(id);
  const { mail, content } = await load();
  show(await startStored(mail, content), null);
}

/**
 * Returns the Bcc recipients of a stored draft, as named by its payload. The payload of a formerly
 * scheduled message that was not saved since it became a draft names none; the clear headers then
 * only show that some are missing.
 */
async function hiddenOf(mail: Email, { parsed }: OpenedMail): Promise<readonly Person[]> {
  if (parsed.bcc.length > 0 || !/^bcc[ \t]*:/im.test(mail.headers)) return parsed.bcc;
  return (await readSchedule(mail.id, parsed))?.bcc ?? [];
}

/**
 * Returns the user's own address that a draft names; the default address if it names a foreign one,
 * as in an imported draft.
 */
function ownAddress(wanted: string | undefined): string {
  const { email, addresses, default_address: usual = email } = getUser();
  const own = [email, ...addresses].find(address => address.toLowerCase() === wanted?.toLowerCase());
  return own ?? usual;
}

/** Starts a session on a stored draft; read-only while another tab has it. */
export async function startStored(
  mail: Email,
  content: OpenedMail,
  held: Held | null = null,
): Promise<DraftSession> {
  // For a message that is not a draft, the server could forge the recipients.
  if (!mail.draft) throw new Error(t('Something failed'));
  const handle = randomId();
  await keys().openStoredDraft(handle, mail);
  const { parsed } = content;
  const bcc = await hiddenOf(mail, content);
  const files = referredFiles(parsed.attachments);
  files.push(...(await findUnnamed(handle, mail, new Set(files.map(file => file.localId)))));
  const own = getUser();
  const lock = held ?? (await holdDraft(mail.id));
  const state = newState(handle, {
    from: { name: own.name, address: ownAddress(parsed.from?.address) },
    to: parsed.to.map(unasked),
    cc: parsed.cc.map(unasked),
    bcc: bcc.map(unasked),
    subject: parsed.subject ?? '',
    ...(await bodyOf(content)),
    inReplyTo: parsed.inReplyTo,
    references: parsed.references?.split(/\s+/).filter(id => id !== '') ?? [],
    files,
    draftId: mail.id,
    save: { kind: 'saved', at: new Date(mail.received_at) },
    phase: lock === null ? 'elsewhere' : 'writing',
  });
  return createDraftSession(state, null, lock === null ? null : { id: mail.id, lock });
}

/** Takes over a draft from the tab that has it, as that tab saved it. */
export async function takeOver({ handle, session }: OpenComposer): Promise<void> {
  const { draftId } = session.state();
  if (draftId === null) return;
  const waiting = holdDraft(draftId, true);
  askForDraft(draftId);
  const held = await waiting;
  const { data: mail } = await mailClient.one({ id: draftId });
  const content = await keys().openMail(mail);
  dropComposer(handle);
  void session.close();
  show(await startStored(mail, content, held), null);
}

/** Hands drafts over to other tabs on request. Returns a function that stops this. */
export const serveTabs = (): (() => void) =>
  onDraftWanted(id => {
    const wanted = listComposers().find(({ session }) => session.state().draftId === id);
    if (wanted !== undefined && wanted.session.state().phase !== 'elsewhere') void wanted.session.yieldTo();
  });

async function restoreOne(id: string, copy: DraftCopy, lock: Held): Promise<DraftSession> {
  let { draftId } = copy;
  let wrap: ReturnType<ReturnType<typeof keys>['openNewDraft']> | null = null;
  if (draftId !== null) {
    try {
      const { data: mail } = await mailClient.one({ id: draftId });
      if (mail.draft) await keys().openStoredDraft(id, mail);
      else draftId = null;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.status === 404) draftId = null;
      else if (copy.wrap !== undefined) await keys().openWrappedDraft(id, copy.wrap);
      else throw error;
    }
  }
  if (draftId === null) wrap = keys().openNewDraft(id);
  const asked = (list: DraftCopy['to']): Addressee[] => list.map(one => ({ ...one, keys: null }));
  const state = newState(id, {
    ...copy,
    to: asked(copy.to),
    cc: asked(copy.cc),
    bcc: asked(copy.bcc),
    draftId,
    wait: copy.wait ?? null,
    save: { kind: 'changed' },
  });
  return createDraftSession(state, wrap, { id, lock });
}

/**
 * Reopens and saves drafts that a lost tab did not get to the server. Skips drafts that another tab
 * is editing.
 */
export function restoreDrafts(): Promise<void> {
  restoring ??= restoreAll();
  return restoring;
}

let restoring: Promise<void> | null = null;

/**
 * Number of retries for drafts locked by another tab: a killed tab may hold its locks a moment
 * longer.
 */
const HELD_LOOKS = 3;

const isOpenHere = (id: string, draftId: string | null): boolean =>
  listComposers().some(
    ({ handle, session }) => handle === id || (draftId !== null && session.state().draftId === draftId),
  );

async function restoreAll(looksLeft = HELD_LOOKS): Promise<void> {
  let isSomeHeld = false;
  for (const { id, copy } of await listCopies()) {
    if (isOpenHere(id, copy.draftId)) continue;
    const lock = await holdDraft(id);
    if (lock === null) {
      isSomeHeld = true;
      continue;
    }
    const session = await restoreOne(id, copy, lock).catch(() => null);
    if (session === null) {
      lock.release();
      continue;
    }
    const isFirst = listComposers().every(one => one.mode !== 'docked');
    const isWaiting = copy.wait !== null && copy.wait !== undefined;
    show(session, null, isFirst && !isWaiting ? 'docked' : 'minimized');
    // A draft that may have been sent, with its response lost, must not become a draft again.
    if (copy.wait?.wasTried) continue;
    await session.saveNow();
    const { save, wait } = session.state();
    if (save.kind === 'saved' && wait === null) void dropCopy(id);
  }
  if (isSomeHeld && looksLeft > 0)
    setTimeout(() => void restoreAll(looksLeft - 1).catch(() => undefined), heldDraftRetryMs);
}
