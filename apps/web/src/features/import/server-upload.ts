// Uploads a file for a server-side import. The upload belongs to the page and not to the import
// screen, so that it continues while other screens are open. It ends with the session: the server
// must not receive the rest of the file.
import { useSyncExternalStore } from 'react';
import { endWithSession } from '../../crypto/worker/session-end.ts';
import { t } from '../../lib/language.ts';
import { findStored, keepStored } from '../../platform/storage.ts';
import { serverImportsClient } from '../../session/calls/clients/server-imports.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { finishFirstStep } from '../../session/state/first-steps.ts';

export type ServerUpload = {
  /** Progress of the upload, 0 to 100; null while no upload is running. */
  readonly percent: number | null;
  /** Reason why the last upload failed. */
  readonly problem: string | null;
  /**
   * The server-side import that is running or finished, until the user dismisses it; '' for none.
   */
  readonly importId: string;
};

/** Removed with the session. */
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

/** Returns the upload, live. */
export const useServerUpload = (): ServerUpload =>
  useSyncExternalStore(listener => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);

/** Shows a server-side import until it is dismissed, even after a reload. */
export function keepImport(importId: string): void {
  if (importId !== '') finishFirstStep('import');
  keepStored(stored, importId);
  change({ importId });
}

/** Cancels a running upload; the server keeps nothing of it. */
export function stopUpload(): void {
  running?.abort();
  running = null;
  change({ percent: null, problem: null });
}

/** Dismisses a reviewed import. */
export const putAway = (): void => keepImport('');

/** Uploads a file; `hasFolderTags` tags each message with its folder. Failures are in the state. */
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
    if (running === abort) {
      const what = t('Failed to start PST import');
      change({ problem: t('{what}: {why}', { what, why: callErrorText(error) }) });
    }
  } finally {
    if (running === abort) {
      running = null;
      change({ percent: null });
    }
  }
}
