// The file that goes to the server to be read there. It belongs to the page and not to its screen, so that it goes on while one
// looks elsewhere, and ends with the session: the server must not get the rest of it.
import { CallError } from '@keyfold/contract/client';
import { useSyncExternalStore } from 'react';
import { endWithSession } from '../../crypto/worker/session-end.ts';
import { t } from '../../lib/language.ts';
import { findStored, keepStored } from '../../platform/storage.ts';
import { serverImportsClient } from '../../session/calls/clients/server-imports.ts';
import { finishFirstStep } from '../../session/state/first-steps.ts';

export type ServerUpload = {
  /** How much of the file has gone, 0 to 100; null while none goes. */
  readonly percent: number | null;
  /** Why the last one did not arrive. */
  readonly problem: string | null;
  /** The import that the server runs or has run, until it is put away; '' for none. */
  readonly importId: string;
};

/** Goes with the session. */
const stored = 'server_import';

let state: ServerUpload | null = null;
let running: AbortController | null = null;
const listeners = new Set<() => void>();

const current = (): ServerUpload =>
  (state ??= { percent: null, problem: null, importId: findStored(stored) ?? '' });

function change(part: Partial<ServerUpload>): void {
  state = { ...current(), ...part };
  for (const listener of listeners) listener();
}

/** The upload, live. */
export const useServerUpload = (): ServerUpload =>
  useSyncExternalStore(listener => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);

/** Shows an import that the server runs until it is put away, after a reload too. */
export function keepImport(importId: string): void {
  if (importId !== '') finishFirstStep('import');
  keepStored(stored, importId);
  change({ importId });
}

/** Ends the upload, if one is under way; nothing of it stays at the server. */
export function stopUpload(): void {
  running?.abort();
  running = null;
  change({ percent: null, problem: null });
}

/** Forgets an import that was looked at. */
export const putAway = (): void => keepImport('');

/** Sends a file; `hasFolderTags` gives each mail its folder as a tag. What goes wrong is in the state. */
export async function sendToServer(file: File, hasFolderTags: boolean): Promise<void> {
  running?.abort();
  const abort = new AbortController();
  running = abort;
  endWithSession(stopUpload);
  change({ percent: 0, problem: null });
  try {
    const { data } = await serverImportsClient.start_pst(
      { import_options: JSON.stringify({ folders_as_tags: hasFolderTags }) },
      {
        file,
        signal: abort.signal,
        onProgress: (sent, total) => {
          if (running === abort) change({ percent: total > 0 ? (100 * sent) / total : 0 });
        },
      },
    );
    if (running === abort) keepImport(data.import_id);
  } catch (error) {
    const why = error instanceof CallError ? ` ${error.message}` : '';
    if (running === abort) change({ problem: `${t('Failed to start PST import')}.${why}` });
  } finally {
    if (running === abort) {
      running = null;
      change({ percent: null });
    }
  }
}
