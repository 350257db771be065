// The reader's choices per sender: always load remote images, or show their colored messages in
// dark mode. Kept in memory and as one sealed record, so that the server never learns whose
// messages the user reads. A choice applies only to messages with a proven sender; callers must
// check that.
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { findOwnRecord, saveOwnRecord } from '../../../../session/own-record.ts';
import { getUser } from '../../../../session/state/current-user.ts';

const stored = z.object({
  remote: z.array(z.string()).catch([]),
  dark: z.array(z.string()).catch([]),
});

export type SenderChoice = keyof z.infer<typeof stored>;
export type SenderChoices = Readonly<Record<SenderChoice, ReadonlySet<string>>>;

const kind = 'setting';
const recordId = 'sender-choices';
/**
 * Maximum number of senders. The newest choices are kept, because the size of a record is limited.
 */
const MAX_SENDERS = 1_000;
const SAVE_TRIES = 3;

let choices: SenderChoices = { remote: new Set(), dark: new Set() };
let version = 0;
let loading: Promise<void> | null = null;
/** The account that the choices belong to. */
let owner = '';
const listeners = new Set<() => void>();

function set(next: SenderChoices): void {
  choices = next;
  for (const listener of listeners) listener();
}

async function load(): Promise<void> {
  const found = await findOwnRecord(kind, recordId);
  if (found === null) return;
  version = found.version;
  const { remote, dark } = stored.parse(found.value);
  set({ remote: new Set([...remote, ...choices.remote]), dark: new Set([...dark, ...choices.dark]) });
}

/**
 * Loads the choices once, when the first message that depends on them is shown. Until then no
 * sender has choices.
 */
export function loadSenderChoices(): void {
  const { email } = getUser();
  if (email !== owner) {
    owner = email;
    version = 0;
    loading = null;
    choices = { remote: new Set(), dark: new Set() };
  }
  loading ??= load().catch(() => undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The choices, kept up to date. */
export function useSenderChoices(): SenderChoices {
  return useSyncExternalStore(subscribe, () => choices);
}

const newest = (addresses: ReadonlySet<string>): string[] => [...addresses].slice(-MAX_SENDERS);

async function save(change: (before: SenderChoices) => SenderChoices): Promise<void> {
  await loading;
  for (let tries = SAVE_TRIES; tries > 0; tries -= 1) {
    const kept = { remote: newest(choices.remote), dark: newest(choices.dark) };
    try {
      version = await saveOwnRecord(kind, recordId, version, kept);
      return;
    } catch (error) {
      if (tries === 1) throw error;
      // Another device saved first: load its choices and apply this one again.
      await load();
      set(change(choices));
    }
  }
}

/**
 * Sets or clears a choice for a sender. Rejects when it could not be saved; it then applies until
 * the page is closed.
 */
export async function chooseForSender(choice: SenderChoice, address: string, value: boolean): Promise<void> {
  const sender = address.toLowerCase();
  const change = (before: SenderChoices): SenderChoices => {
    const next = new Set(before[choice]);
    next.delete(sender);
    if (value) next.add(sender);
    return { ...before, [choice]: next };
  };
  set(change(choices));
  await save(change);
}
