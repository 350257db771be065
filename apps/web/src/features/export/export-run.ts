// The export of this tab: one at a time; it continues while other pages are open. Its worker builds
// the archive.
import { useEffect, useSyncExternalStore } from 'react';
import {
  type ExportExtras,
  type ExportPlan,
  type ExportRemote,
  type ExportState,
  type RunningExport,
  startExport,
} from '../../crypto/export-client.ts';
import { endWithSession } from '../../crypto/worker/session-end.ts';
import { term } from '../../lib/language.ts';
import { saveFile } from '../../platform/save-file.ts';
import { getUser } from '../../session/state/current-user.ts';
import { useSessionStatus } from '../../session/state/session-state.ts';
import { loadAddressBook } from '../../session/trust/address-book.ts';
import { cardsOf } from '../contacts/card-files.ts';

/** Undefined until it is known whether a closed tab left an export; null without one. */
let state: ExportState | null | undefined;
let running: RunningExport | null = null;
const listeners = new Set<() => void>();

function set(next: ExportState | null | undefined): void {
  state = next;
  for (const listener of listeners) listener();
}

/**
 * Stops the worker at the end of the session; the sealed working copy stays until the same user
 * returns.
 */
function stopExport(): void {
  running?.end();
  running = null;
  set(undefined);
}

function begin(): RunningExport {
  const begun = startExport(next => {
    if (running === begun) set(next);
  });
  endWithSession(stopExport);
  begun.found.then(
    found => {
      if (running === begun) set(found);
    },
    () => {
      if (running !== begun) return;
      stopExport();
      set(null);
    },
  );
  return begun;
}

const otherTab = term('An export is running in another tab');

/** Calls the worker, once it has checked for an export left by a closed tab. */
async function ask<T>(call: (remote: ExportRemote) => Promise<T>): Promise<T> {
  running ??= begin();
  const begun = running;
  await begun.found;
  return begun.ask(call).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'OtherTabError' ? new Error(otherTab) : error;
  });
}

/** Returns the state of the export, live; undefined while unknown. */
export function useExport(): ExportState | null | undefined {
  const status = useSessionStatus();
  useEffect(() => {
    // Without keys its state cannot be read.
    if (status === 'in') running ??= begin();
  }, [status]);
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/**
 * Starts an export of these messages, or of all. Rejects when there is not enough space for the
 * working copy, or no connection.
 */
export async function beginExport(
  plan: Pick<ExportPlan, 'format' | 'scope'>,
  ids: readonly string[] | null,
): Promise<void> {
  set(await ask(remote => remote.begin(plan, ids)));
  void continueExport();
}

/**
 * Resumes an export that was paused, stopped, or left by a closed tab. The outcome is in its state.
 */
export const continueExport = (): Promise<void> => ask(remote => remote.run()).catch(() => undefined);

export const pauseExport = (): Promise<void> => ask(remote => remote.pause()).catch(() => undefined);

/** Cancels the export and deletes its working copy. */
export async function removeExport(): Promise<void> {
  await ask(remote => remote.remove());
  set(null);
}

type SavePicker = (options: {
  suggestedName: string;
  types: readonly { accept: Record<string, readonly string[]> }[];
}) => Promise<FileSystemFileHandle>;

/** Asks the user for the file to write to; returns null where the browser has no such picker. */
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

/** Saves the archive; returns false when the user cancels. Rejects when it cannot be written. */
export async function saveExport(beganAt: string): Promise<boolean> {
  const name = `keyfold-${beganAt.slice(0, 10)}.zip`;
  let to: FileSystemFileHandle | null;
  try {
    to = await chooseFile(name);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    throw error;
  }
  const extras = await extrasOf();
  const blob = await ask(remote => remote.save(to, extras));
  return blob === null || saveFile(blob, name);
}
