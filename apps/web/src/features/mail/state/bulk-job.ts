// A change of very many messages: which messages it concerns, and the progress of the one that
// runs, with its stop button. One run at a time; it continues while other lists are shown.
// bulk-run.ts, which is loaded at first use, runs it.
import { useSyncExternalStore } from 'react';
import { type FlagChange, isGoneWhenDeleted } from './flag-changes.ts';
import type { MailQuery } from './folders.ts';
import type { MailRowData } from './mail-cache.ts';

/** Minimum number of conversations that requires a confirmation. */
export const ASK_FROM = 100;

/** A bulk change. */
export type BulkJob = {
  readonly change: FlagChange;
  /** Number of conversations, as the selection counts them. */
  readonly count: number;
  /** Rows to change; null for all of `query`. */
  readonly rows: readonly MailRowData[] | null;
  /** The list as single messages. */
  readonly query: MailQuery;
  /** Conversations that the user deselected after selecting the whole folder. */
  readonly leftOut: ReadonlySet<string>;
};

/** Whether a job deletes messages permanently. */
export const isPurge = ({ change, rows, query }: BulkJob): boolean =>
  change.kind === 'delete' &&
  (rows === null
    ? query.deleted === true || query.draft === true
    : rows.some(row => isGoneWhenDeleted(row.mail)));

export type BulkProgress = {
  /** Name of the operation, as in "Archive". */
  readonly label: string;
  readonly done: number;
  /** null while unknown. */
  readonly total: number | null;
  readonly isStopping: boolean;
};

let progress: BulkProgress | null = null;
const listeners = new Set<() => void>();

/** Sets the progress; null when the run has ended. */
export function showProgress(next: BulkProgress | null): void {
  progress = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the progress of the current run, kept up to date, or null. */
export const useBulkProgress = (): BulkProgress | null => useSyncExternalStore(subscribe, () => progress);

/** Stops the run after the current chunk. */
export function stopBulk(): void {
  if (progress !== null) showProgress({ ...progress, isStopping: true });
}

/** Returns whether the run is to stop after the current chunk. */
export const isBulkStopping = (): boolean => progress?.isStopping ?? false;

/** Returns whether a run is active. */
export const isBulkRunning = (): boolean => progress !== null;
