/**
 * Imports that the server does (docs/spec-map.md 7.52, docs/api-conventions.md, docs/interpretations.md#26): a PST file, or a
 * mailbox at another provider. One at a time for each user; told of, ended, tidied up. How each begins is pst-upload.ts' and
 * imap-start.ts', doing them is runner.ts'.
 */
import type { api, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { SERVER_IMPORT_KEPT_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { createImapSource, type ImapSourceOptions } from './imap-source.ts';
import { dropLapsedUploads, dropPstFile, removeLeftovers } from './pst-leftovers.ts';
import { createPstSource, type PstSourceOptions } from './pst-source.ts';
import { createRunner, type ImportRunner } from './runner.ts';
import { deleteEndedImports, endImapImports, endImport, findImport } from './store.ts';

type Status = OutputOf<typeof api.server_imports.status>['data'];

/** Reads the PST files that wait. */
export const createPstRunner = (deps: Deps, options?: PstSourceOptions): ImportRunner =>
  createRunner(deps, createPstSource(deps, options));

/** Reads the mailboxes that wait. */
export const createImapRunner = (deps: Deps, options?: ImapSourceOptions): ImportRunner =>
  createRunner(deps, createImapSource(deps, options));

/** How far an import of the user's is. Throws not_found. */
export async function getImport(deps: Deps, userId: string, id: string): Promise<Status> {
  const row = isUuid(id) ? await findImport(deps.db, userId, id) : undefined;
  if (row === undefined) throw new AppError('not_found');
  return { ...row, failure: row.failure as Status['failure'] };
}

/** Ends an import of the user's, with its file or its password; one that has ended stays as it is. Throws not_found. */
export async function cancelImport(deps: Deps, userId: string, id: string): Promise<void> {
  await getImport(deps, userId, id);
  const isEnded = await endImport(deps.db, { userId, id }, { status: 'cancelled', now: deps.clock.now() });
  if (isEnded) await dropPstFile(deps, id);
}

/** Forgets, in the transaction that suspends a user, what opens their mailboxes elsewhere. */
export const endImportsOfSuspended = (
  { clock }: Pick<Deps, 'clock'>,
  trx: Trx,
  userId: string,
): Promise<void> => endImapImports(trx, userId, 'suspended', clock.now());

/** Removes files that no import needs and forgets imports that ended long ago; gives how many of each. */
export async function tidyUpImports(
  deps: Pick<Deps, 'clock' | 'db' | 'importFiles' | 'logger'>,
): Promise<{ files: number; imports: number }> {
  await dropLapsedUploads(deps);
  const files = await removeLeftovers(deps);
  const before = new Date(deps.clock.now().getTime() - SERVER_IMPORT_KEPT_MS);
  return { files, imports: await deleteEndedImports(deps.db, before) };
}
