/**
 * Imports that the server runs (docs/spec-map.md 7.52, docs/api-conventions.md,
 * docs/interpretations.md#26): a PST file, or a mailbox at another provider, one at a time per
 * user. Covers status, cancellation and cleanup. pst-upload.ts and imap-start.ts start them,
 * runner.ts runs them.
 */
import type { api, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { SERVER_IMPORT_KEPT_MS } from '../../../base/import-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { createImapSource, type ImapSourceOptions } from './imap-source.ts';
import { dropLapsedUploads, dropPstFile, removeLeftovers } from './pst-leftovers.ts';
import { createPstSource, type PstSourceOptions } from './pst-source.ts';
import { createRunner, type ImportRunner } from './runner.ts';
import { deleteEndedImports, endImapImports, endImport, findImport } from './store.ts';

type Status = OutputOf<typeof api.server_imports.status>['data'];

/** Creates the runner for queued PST files. */
export const createPstRunner = (deps: Deps, options?: PstSourceOptions): ImportRunner =>
  createRunner(deps, createPstSource(deps, options));

/** Creates the runner for queued mailboxes at other providers. */
export const createImapRunner = (deps: Deps, options?: ImapSourceOptions): ImportRunner =>
  createRunner(deps, createImapSource(deps, options));

/** Returns the status of a user's import. Throws not_found. */
export async function getImport(deps: Deps, userId: string, id: string): Promise<Status> {
  const row = isUuid(id) ? await findImport(deps.db, userId, id) : undefined;
  if (row === undefined) throw new AppError('not_found');
  return { ...row, failure: row.failure as Status['failure'] };
}

/**
 * Cancels a user's import and deletes its file or password. An import that has ended is unchanged.
 * Throws not_found.
 */
export async function cancelImport(deps: Deps, userId: string, id: string): Promise<void> {
  await getImport(deps, userId, id);
  const isEnded = await endImport(deps.db, { userId, id }, { status: 'cancelled', now: deps.clock.now() });
  if (isEnded) await dropPstFile(deps, id);
}

/**
 * Deletes a user's credentials for mailboxes elsewhere, in the transaction that suspends the user.
 */
export const endImportsOfSuspended = (
  { clock }: Pick<Deps, 'clock'>,
  trx: Trx,
  userId: string,
): Promise<void> => endImapImports(trx, userId, 'suspended', clock.now());

/**
 * Deletes files that no import needs and records of imports that ended long ago; returns both
 * numbers.
 */
export async function tidyUpImports(
  deps: Pick<Deps, 'clock' | 'db' | 'importFiles' | 'logger'>,
): Promise<{ files: number; imports: number }> {
  await dropLapsedUploads(deps);
  const files = await removeLeftovers(deps);
  const before = new Date(deps.clock.now().getTime() - SERVER_IMPORT_KEPT_MS);
  return { files, imports: await deleteEndedImports(deps.db, before) };
}
