// The export of this tab: one at a time, and it goes on while other pages are looked at. What it is made of is in its worker.
import { useEffect, useSyncExternalStore } from 'react';
import {
  type ExportExtras,
  type ExportPlan,
  type ExportState,
  type RunningExport,
  startExport,
} from '../../crypto/export-client.ts';
import { saveFile } from '../../platform/save-file.ts';
import { loadAddressBook } from '../../session/address-book.ts';
import { getUser } from '../../session/current-user.ts';
import { cardsOf } from '../contacts/card-files.ts';

/** undefined until it is known whether a closed tab left one; null without one. */
let state: ExportState | null | undefined;
let running: Promise<RunningExport> | null = null;
const listeners = new Set<() => void>();

function set(next: ExportState | null): void {
  state = next;
  for (const listener of listeners) listener();
}

function begun(): Promise<RunningExport> {
  running ??= startExport(set).then(
    started => {
      set(started.found);
      return started;
    },
    error => {
      running = null;
      set(null);
      throw error;
    },
  );
  return running;
}

/** How the export stands, live; undefined while that is not known. */
export function useExport(): ExportState | null | undefined {
  useEffect(() => {
    void begun().catch(() => undefined);
  }, []);
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Begins an export of these mails, or of all. Rejects when there is no room for its working copy, or no connection. */
export async function beginExport(
  plan: Pick<ExportPlan, 'format' | 'scope'>,
  ids: readonly string[] | null,
): Promise<void> {
  const { remote } = await begun();
  set(await remote.begin(plan, ids));
  void remote.run();
}

/** Goes on with what was paused, stopped, or left by a closed tab. */
export const continueExport = async (): Promise<void> => (await begun()).remote.run();

export const pauseExport = async (): Promise<void> => (await begun()).remote.pause();

/** Ends the export and removes its working copy. */
export async function removeExport(): Promise<void> {
  const { remote } = await begun();
  await remote.remove();
  set(null);
}

type SavePicker = (options: {
  suggestedName: string;
  types: readonly { accept: Record<string, readonly string[]> }[];
}) => Promise<FileSystemFileHandle>;

/** The file to write to, as its owner chooses it; null where the browser has no such question. */
async function chooseFile(name: string): Promise<FileSystemFileHandle | null> {
  const ask = (window as { readonly showSaveFilePicker?: SavePicker }).showSaveFilePicker;
  if (ask === undefined) return null;
  return ask.call(window, {
    suggestedName: name,
    types: [{ accept: { 'application/zip': ['.zip'] } }],
  });
}

async function extrasOf(): Promise<ExportExtras> {
  const book = await loadAddressBook();
  const people = book.people.filter(one => one.isContact);
  return {
    cards: cardsOf(people, book.groups),
    contacts: people.length,
    tags: getUser().tags.map(({ name, color }) => ({ name, color })),
  };
}

/** Saves the archive; false when its owner thought better of it. Rejects when it cannot be written. */
export async function saveExport(beganAt: string): Promise<boolean> {
  const name = `keyfold-${beganAt.slice(0, 10)}.zip`;
  let to: FileSystemFileHandle | null;
  try {
    to = await chooseFile(name);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    throw error;
  }
  const { remote } = await begun();
  const blob = await remote.save(to, await extrasOf());
  if (blob !== null) saveFile(blob, name);
  return true;
}
