// The export of this tab: one at a time, and it goes on while other pages are looked at. What it is made of is in its worker.
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

/** undefined until it is known whether a closed tab left one; null without one. */
let state: ExportState | null | undefined;
let running: RunningExport | null = null;
const listeners = new Set<() => void>();

function set(next: ExportState | null | undefined): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Ends the worker with the session; the sealed working copy stays for when the same person is back. */
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

/** Asks the worker, once it has looked for what a closed tab left. */
async function ask<T>(call: (remote: ExportRemote) => Promise<T>): Promise<T> {
  running ??= begin();
  const begun = running;
  await begun.found;
  return begun.ask(call).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'OtherTabError' ? new Error(otherTab) : error;
  });
}

/** How the export stands, live; undefined while that is not known. */
export function useExport(): ExportState | null | undefined {
  const status = useSessionStatus();
  useEffect(() => {
    // Without keys nothing can be told of it.
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

/** Begins an export of these mails, or of all. Rejects when there is no room for its working copy, or no connection. */
export async function beginExport(
  plan: Pick<ExportPlan, 'format' | 'scope'>,
  ids: readonly string[] | null,
): Promise<void> {
  set(await ask(remote => remote.begin(plan, ids)));
  void continueExport();
}

/** Goes on with what was paused, stopped, or left by a closed tab. How it goes is in its state. */
export const continueExport = (): Promise<void> => ask(remote => remote.run()).catch(() => undefined);

export const pauseExport = (): Promise<void> => ask(remote => remote.pause()).catch(() => undefined);

/** Ends the export and removes its working copy. */
export async function removeExport(): Promise<void> {
  await ask(remote => remote.remove());
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
  const extras = await extrasOf();
  const blob = await ask(remote => remote.save(to, extras));
  return blob === null || saveFile(blob, name);
}
