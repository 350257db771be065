// The composers that are open: at most three, docked, or one inline under a conversation. Opening makes or takes the
// message key in the worker; what is written lives in each one's draft session (ux "Composer").
import type { Email } from '@keyfold/contract';
import { useSyncExternalStore } from 'react';
import { keys } from '../../crypto/key-client.ts';
import type { OpenedMail } from '../../crypto/mail-opener.ts';
import { fileNameOf } from '../../lib/file-names.ts';
import { randomId } from '../../lib/random-id.ts';
import { client } from '../../session/client.ts';
import { getUser } from '../../session/current-user.ts';
import { showToast } from '../../ui/toasts.ts';
import type { Opening } from './answers.ts';
import type { ComposerMode } from './ComposerHead.tsx';
import { createDraftSession, type DraftSession } from './draft-session.ts';
import type { Addressee, DraftFile, DraftState } from './draft-state.ts';

export type OpenComposer = {
  readonly handle: string;
  readonly session: DraftSession;
  readonly mode: ComposerMode;
  readonly showsCcBcc: boolean;
  /** The conversation's mail it stands under, for an inline answer. */
  readonly under: string | null;
  /** It was just opened, restored or asked for: it takes the keyboard once. */
  readonly wantsFocus: boolean;
};

const maxComposers = 3;

let composers: readonly OpenComposer[] = [];
const listeners = new Set<() => void>();

function set(next: readonly OpenComposer[]): void {
  composers = next;
  for (const listener of listeners) listener();
}

const list = (): readonly OpenComposer[] => composers;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The open composers, live. */
export function useComposers(): readonly OpenComposer[] {
  return useSyncExternalStore(subscribe, list);
}

/** Changes how a composer is shown. One at a time is docked; the one that was becomes a bar. */
export function changeComposer(
  handle: string,
  change: Partial<Pick<OpenComposer, 'mode' | 'showsCcBcc' | 'under' | 'wantsFocus'>>,
): void {
  const others = (one: OpenComposer): OpenComposer =>
    change.mode === 'docked' && one.mode === 'docked' ? { ...one, mode: 'minimised' } : one;
  set(composers.map(one => (one.handle === handle ? { ...one, ...change } : others(one))));
}

/** Takes a composer off the screen. Its session is ended by whoever calls. */
export function dropComposer(handle: string): void {
  set(composers.filter(one => one.handle !== handle));
}

/** Puts a composer back that was taken off. */
export function restoreComposer(composer: OpenComposer): void {
  if (composers.some(one => one.handle === composer.handle)) return;
  set([...composers, { ...composer, wantsFocus: true }]);
}

/** Whether nothing was written into it yet. */
export const isUntouched = ({ session }: OpenComposer): boolean => session.state().save.kind === 'new';

/** Takes a composer off the screen and its draft, if any, off the server. */
export function discardComposer({ handle, session }: OpenComposer): void {
  dropComposer(handle);
  session.discard().catch(() => undefined);
}

/** Takes all of them off, at sign-out. */
export function dropAllComposers(): void {
  set([]);
}

const emptyOpening: Opening = { to: [], cc: [], subject: '', text: '', inReplyTo: null, references: [] };

const unasked = (person: Addressee['person']): Addressee => ({ person, keys: null, isInvalid: false });

function newState(handle: string, opening: Opening, change: Partial<DraftState> = {}): DraftState {
  const { email, name } = getUser();
  return {
    handle,
    from: { name, address: email },
    to: opening.to.map(unasked),
    cc: opening.cc.map(unasked),
    bcc: [],
    subject: opening.subject,
    text: opening.text,
    inReplyTo: opening.inReplyTo,
    references: opening.references,
    files: [],
    draftId: null,
    save: { kind: 'new' },
    isSending: false,
    sendError: null,
    ...change,
  };
}

function show(handle: string, session: DraftSession, under: string | null): void {
  const { to, cc, bcc } = session.state();
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    const people = { to, cc, bcc }[kind];
    if (people.length > 0) session.lookUp(people);
  }
  const mode = under === null ? 'docked' : 'inline';
  const added = {
    handle,
    session,
    mode,
    under,
    showsCcBcc: cc.length + bcc.length > 0,
    wantsFocus: true,
  } satisfies OpenComposer;
  const minimised = composers.map(one =>
    one.mode === 'docked' ? { ...one, mode: 'minimised' as const } : one,
  );
  set([...(under === null ? minimised : composers), added]);
}

/** Inline answers do not count: they stand in their conversations, where nobody could find them to close one. */
function hasRoom(): boolean {
  if (composers.filter(one => one.mode !== 'inline').length < maxComposers) return true;
  showToast({ tone: 'danger', text: 'Three messages are open. Close one of them first.' });
  return false;
}

/**
 * Opens a composer for a new letter or an answer. `under` puts it inline under a conversation. `stored` are files that
 * the server has, `files` are sealed and uploaded first.
 */
export function openComposer(
  opening: Partial<Opening> = {},
  under: string | null = null,
  stored: readonly DraftFile[] = [],
  files: readonly File[] = [],
): void {
  if (under === null && !hasRoom()) return;
  const handle = randomId();
  const wrap = keys().openNewDraft(handle);
  wrap.catch(() => showToast({ tone: 'danger', text: 'Something failed' }));
  const state = newState(handle, { ...emptyOpening, ...opening }, { files: stored });
  const session = createDraftSession(state, wrap);
  show(handle, session, under);
  if (files.length > 0) session.addFiles(files);
}

/** Longest head of a container, bytes. */
const containerHeadBytes = 70_000;

/** Files that were uploaded before the draft that names them could be saved; one that does not open is left out. */
async function findUnnamed(handle: string, mail: Email, named: ReadonlySet<string>): Promise<DraftFile[]> {
  const found = mail.attachments
    .filter(({ id }) => !named.has(id))
    .map(async ({ id }) => {
      const range = { headers: { range: `bytes=0-${containerHeadBytes - 1}` } };
      const answer = (await client.sending.attachment({ id }, range)) as { readonly bytes?: Blob };
      const head = new Uint8Array((await answer.bytes?.arrayBuffer()) ?? []);
      const file = await keys().recoverFile(handle, id, head);
      return storedFile(id, file.fileKeyB64, file.name, file.type, file.sizeBytes);
    });
  return (await Promise.allSettled(found)).flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Opens a stored draft where it was left; a draft that is open already is brought to the front. */
export async function openDraft(mail: Email, content: OpenedMail): Promise<void> {
  const open = composers.find(one => one.session.state().draftId === mail.id);
  if (open !== undefined) return changeComposer(open.handle, { mode: 'docked', wantsFocus: true });
  if (!hasRoom()) return;
  const handle = randomId();
  await keys().openStoredDraft(handle, mail);
  const { parsed } = content;
  const opening: Opening = {
    to: parsed.to,
    cc: parsed.cc,
    subject: parsed.subject ?? '',
    text: (parsed.text ?? '').replace(/\n$/, ''),
    inReplyTo: parsed.inReplyTo,
    references: parsed.references?.split(/\s+/).filter(id => id !== '') ?? [],
  };
  const files = parsed.attachments.flatMap((file): DraftFile[] =>
    file.external === null
      ? []
      : [
          storedFile(
            file.external.externalId,
            file.external.key,
            fileNameOf(file),
            file.mimeType,
            file.external.sizeBytes,
          ),
        ],
  );
  files.push(...(await findUnnamed(handle, mail, new Set(files.map(file => file.localId)))));
  const own = getUser();
  const address = parsed.from?.address ?? own.email;
  const state = newState(handle, opening, {
    from: { name: own.name, address },
    bcc: parsed.bcc.map(unasked),
    files,
    draftId: mail.id,
    save: { kind: 'saved', at: new Date(mail.received_at) },
  });
  show(handle, createDraftSession(state, null), null);
}

/** A file that is stored already, as a composer lists it. */
export function storedFile(
  id: string,
  fileKeyB64: string,
  name: string,
  type: string,
  sizeBytes: number,
): DraftFile {
  return {
    localId: id,
    name,
    type,
    sizeBytes,
    stage: 'done',
    percent: 100,
    error: null,
    stored: { id, fileKeyB64, name, type, sizeBytes },
  };
}
