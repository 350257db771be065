// One letter from its first word to its sending: looks recipients up, seals and uploads files, saves as somebody types,
// sends. Saves run one at a time and always into the same draft; a send waits for the save under way, is retried under
// one idempotency key, and therefore never goes out twice (Spec §4, readings 21 to 23, ux "Autosave").
import { CallError } from '@keyfold/contract/client';
import { callback, keys } from '../../crypto/key-client.ts';
import type { Letter, LetterRecipient, Person } from '../../crypto/letter.ts';
import { randomId } from '../../lib/random-id.ts';
import { client } from '../../session/client.ts';
import { draftIdleMs, draftMaxWaitMs } from '../../timing.ts';
import {
  type Addressee,
  type AddresseeKind,
  addresseesOf,
  type DraftFields,
  type DraftFile,
  type DraftState,
  findSendObstacle,
  isEmpty,
} from './draft-state.ts';
import { findKeys, forgetKeys } from './recipient-keys.ts';

export type DraftSession = {
  readonly state: () => DraftState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly change: (fields: DraftFields) => void;
  readonly setPeople: (
    kind: AddresseeKind,
    people: readonly { readonly person: Person; readonly isInvalid: boolean }[],
  ) => void;
  /** Asks for the keys of people who are named already. */
  readonly lookUp: (people: readonly Addressee[]) => void;
  readonly addFiles: (files: readonly File[]) => void;
  readonly removeFile: (localId: string) => void;
  readonly retryFile: (localId: string) => void;
  /** Saves now. Rejects never: the state tells. */
  readonly saveNow: () => Promise<void>;
  /**
   * Sends: everybody in one message, or with `inTwoCopies` a sealed one and a plain one. Rejects with an error whose
   * message is for people; the letter stays as it is then.
   */
  readonly send: (inTwoCopies?: boolean) => Promise<void>;
  /** Saves what is unsaved and lets go of the keys; an empty draft is removed. */
  readonly close: () => Promise<void>;
  /** Removes the draft from the server. */
  readonly discard: () => Promise<void>;
};

type SendRequest = Parameters<typeof client.sending.send_private>[0];

const isOffline = (error: unknown): boolean => error instanceof CallError && error.status === 0;

const toLetter = (draft: DraftState): Letter => ({
  from: draft.from,
  to: draft.to.map(({ person }) => person),
  cc: draft.cc.map(({ person }) => person),
  bcc: draft.bcc.map(({ person }) => person),
  subject: draft.subject,
  text: draft.text,
  ...(draft.inReplyTo === null ? {} : { inReplyTo: draft.inReplyTo }),
  references: draft.references,
  files: draft.files.flatMap(file => (file.stored === null ? [] : [file.stored])),
});

const answerFields = (draft: DraftState) => ({
  ...(draft.inReplyTo === null ? {} : { in_reply_to: draft.inReplyTo }),
  ...(draft.references.length === 0 ? {} : { references: [...draft.references] }),
});

/** Starts a session on a letter whose message key the worker already holds under `initial.handle`. */
export function createDraftSession(
  initial: DraftState,
  emptyWrap: Promise<Parameters<typeof client.sending.empty>[0]> | null,
): DraftSession {
  let state = initial;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let maxTimer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> = Promise.resolve();
  let home: Promise<string> | null = initial.draftId === null ? null : Promise.resolve(initial.draftId);
  let isClosed = false;
  const sentCopies = new Set<string>();
  let unanswered: { readonly written: string; readonly key: string; readonly request: SendRequest } | null =
    null;
  const listeners = new Set<() => void>();
  const sources = new Map<string, { readonly file: File; readonly abort: AbortController }>();

  const set = (change: Partial<DraftState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };

  const touched = (): void => {
    if (state.save.kind !== 'saving') set({ save: { kind: 'changed' } });
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => void saveNow(), draftIdleMs);
    maxTimer ??= setTimeout(() => void saveNow(), draftMaxWaitMs);
  };

  /** The draft's id; the first caller makes an empty draft, so that a file has a home. */
  const draftHome = (): Promise<string> => {
    home ??= (async () => {
      if (emptyWrap === null) throw new Error('Missing second stage key bytes');
      const { data } = await client.sending.empty(await emptyWrap);
      set({ draftId: data.draft_id });
      return data.draft_id;
    })();
    home.catch(() => {
      home = null;
    });
    return home;
  };

  const save = async (): Promise<void> => {
    const saved = state;
    set({ save: { kind: 'saving' } });
    try {
      const sealed = await keys().sealDraft(saved.handle, toLetter(saved));
      const draftId = home === null ? undefined : await home;
      const { data } = await client.sending.draft({
        used_address: saved.from.address,
        ...answerFields(saved),
        ...sealed,
        ...(draftId === undefined ? {} : { draft_id: draftId }),
      });
      home = Promise.resolve(data.draft_id);
      set({ draftId: data.draft_id, save: { kind: 'saved', at: new Date() } });
      if (!sameLetter(saved, state)) touched();
    } catch (error) {
      set({ save: { kind: 'failed', reason: isOffline(error) ? 'offline' : 'error' } });
    }
  };

  const saveNow = (): Promise<void> => {
    clearTimeout(idleTimer);
    clearTimeout(maxTimer);
    maxTimer = undefined;
    saving = saving.then(() => (isClosed || (isEmpty(state) && state.draftId === null) ? undefined : save()));
    return saving;
  };

  const lookUp = async (people: readonly Addressee[], fresh = false): Promise<void> => {
    const asked = people.filter(({ isInvalid }) => !isInvalid).map(({ person }) => person.address);
    if (asked.length === 0) return;
    const found = new Map((await findKeys(asked, fresh)).map((one, index) => [asked[index], one]));
    const withKeys = (list: readonly Addressee[]) =>
      list.map(one => ({ ...one, keys: found.get(one.person.address) ?? one.keys }));
    set({ to: withKeys(state.to), cc: withKeys(state.cc), bcc: withKeys(state.bcc) });
  };

  const setFile = (localId: string, change: Partial<DraftFile>): void =>
    set({ files: state.files.map(file => (file.localId === localId ? { ...file, ...change } : file)) });

  const upload = async (localId: string): Promise<void> => {
    const source = sources.get(localId);
    if (source === undefined) return;
    const { file, abort } = source;
    try {
      setFile(localId, { stage: 'encrypting', percent: 0, error: null });
      const draftId = await draftHome();
      const onShare = callback((share: number) => setFile(localId, { percent: Math.floor(share * 100) }));
      const { container, fileKeyB64 } = await keys().sealFile(state.handle, file, onShare);
      setFile(localId, { stage: 'uploading', percent: 0 });
      const { data } = await client.sending.upload(
        { draft_id: draftId },
        {
          file: container,
          signal: abort.signal,
          onProgress: (sent, total) =>
            setFile(localId, { percent: total === 0 ? 0 : Math.floor((sent / total) * 100) }),
        },
      );
      const type = file.type || 'application/octet-stream';
      const stored = { id: data.id, fileKeyB64, name: file.name, type, sizeBytes: file.size };
      setFile(localId, { stage: 'done', percent: 100, stored });
      touched();
    } catch (error) {
      if (abort.signal.aborted) return;
      setFile(localId, {
        stage: 'failed',
        error: error instanceof Error ? error.message : 'Something failed',
      });
    }
  };

  const recipients = (): LetterRecipient[] =>
    (['to', 'cc', 'bcc'] as const).flatMap(kind =>
      state[kind].map(({ person, keys: found }) => ({
        email: person.address,
        kind,
        keys: found === null || 'plaintext' in found ? null : found,
      })),
    );

  /** A request whose answer was lost is sent again as it was, under its own key: the server then knows it (api.md). */
  const deliver = async (people: readonly LetterRecipient[], isApart: boolean): Promise<void> => {
    const written = JSON.stringify([toLetter(state), people]);
    if (sentCopies.has(written)) return;
    if (unanswered?.written !== written) {
      unanswered = { written, key: randomId(), request: await sealRequest(people, isApart) };
    }
    try {
      await client.sending.send_private(unanswered.request, {
        headers: { 'idempotency-key': unanswered.key },
      });
      sentCopies.add(written);
      // The first copy takes the draft with it; the next one refers to its files.
      home = null;
      unanswered = null;
    } catch (error) {
      if (!isOffline(error)) unanswered = null;
      throw error;
    }
  };

  const sealRequest = async (people: readonly LetterRecipient[], isApart: boolean): Promise<SendRequest> => {
    const sealed = await keys().sealLetter(state.handle, toLetter(state), people, isApart);
    const draftId = home === null ? undefined : await home;
    const isPlain = sealed.encryption_key !== undefined;
    const fileIds = state.files.flatMap(file => (file.stored === null ? [] : [file.stored.id]));
    return {
      used_address: state.from.address,
      ...answerFields(state),
      // The real subject is inside; it shows only where the outside has to read it anyway (readings 16).
      subject: isPlain ? state.subject.slice(0, 998) : '[...]',
      body: sealed.body,
      summary: sealed.summary,
      public_key: sealed.public_key,
      to: [...sealed.to],
      ...(sealed.encryption_key === undefined ? {} : { encryption_key: sealed.encryption_key }),
      // A forward's files are in the mail they come from and never in the draft, saved or not (readings 24).
      ...(fileIds.length === 0 ? {} : { forwarded_attachments: fileIds }),
      ...(draftId === undefined ? {} : { draft_id: draftId }),
    };
  };

  const send = async (inTwoCopies = false): Promise<void> => {
    const obstacle = findSendObstacle(state);
    if (obstacle !== null) throw new Error(obstacle);
    set({ isSending: true, sendError: null });
    clearTimeout(idleTimer);
    clearTimeout(maxTimer);
    try {
      await saving;
      const everybody = recipients();
      const sealed = everybody.filter(one => one.keys !== null);
      const plain = everybody.filter(one => one.keys === null);
      const copies = inTwoCopies && sealed.length > 0 && plain.length > 0 ? [sealed, plain] : [everybody];
      for (const people of copies) await deliver(people, copies.length > 1 && people === plain);
      isClosed = true;
      await keys().closeDraft(state.handle);
    } catch (error) {
      const isKeyTrouble =
        error instanceof CallError &&
        (error.code === 'recipient_has_keys' || error.code === 'recipient_key_changed');
      if (isKeyTrouble) {
        forgetKeys(addresseesOf(state).map(({ person }) => person.address));
        await lookUp(addresseesOf(state)).catch(() => undefined);
      }
      set({ isSending: false, sendError: error instanceof Error ? error.message : 'Something failed' });
      throw error;
    }
  };

  const removeDraft = async (): Promise<void> => {
    const draftId = home === null ? null : await home.catch(() => null);
    if (draftId !== null) await client.mail.remove({ email_id: draftId });
  };

  const end = async (): Promise<void> => {
    clearTimeout(idleTimer);
    clearTimeout(maxTimer);
    for (const { abort } of sources.values()) abort.abort();
    isClosed = true;
    await saving;
    await keys().closeDraft(state.handle);
  };

  return {
    state: () => state,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: fields => {
      set(fields);
      touched();
    },
    setPeople: (kind, people) => {
      const before = new Map(state[kind].map(one => [one.person.address, one.keys]));
      const next = people.map(one => ({ ...one, keys: before.get(one.person.address) ?? null }));
      set({ [kind]: next });
      touched();
      lookUp(next.filter(one => one.keys === null)).catch(() => undefined);
    },
    lookUp: people => void lookUp(people).catch(() => undefined),
    addFiles: files => {
      for (const file of files) {
        const localId = randomId();
        sources.set(localId, { file, abort: new AbortController() });
        const added: DraftFile = {
          localId,
          name: file.name,
          type: file.type,
          sizeBytes: file.size,
          stage: 'encrypting',
          percent: 0,
          error: null,
          stored: null,
        };
        set({ files: [...state.files, added] });
        void upload(localId);
      }
    },
    retryFile: localId => void upload(localId),
    removeFile: localId => {
      const gone = state.files.find(file => file.localId === localId);
      sources.get(localId)?.abort.abort();
      sources.delete(localId);
      set({ files: state.files.filter(file => file.localId !== localId) });
      touched();
      const stored = gone?.stored;
      if (stored) client.sending.remove_attachment({ id: stored.id }).catch(() => undefined);
    },
    saveNow,
    send,
    close: async () => {
      if (isEmpty(state)) {
        await end();
        await removeDraft().catch(() => undefined);
        return;
      }
      if (state.save.kind !== 'saved' && state.save.kind !== 'new') await saveNow();
      await end();
    },
    discard: async () => {
      await end();
      await removeDraft();
    },
  };
}

const sameLetter = (a: DraftState, b: DraftState): boolean =>
  JSON.stringify(toLetter(a)) === JSON.stringify(toLetter(b));
