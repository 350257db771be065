/**
 * Starts imports from mailboxes at other providers: lists their folders and queues the import.
 *
 * [Note: Credentials of an import] User name and password are never on disk or in a log in the
 * clear. While an import waits or runs, its row contains them sealed under the master key. The
 * statement that ends the import, in whatever way, deletes them, and a suspension ends the import.
 * They are opened once per turn, which takes some minutes. Each message is in this process's memory
 * until it is sealed.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { api, InputOf, OutputOf } from '@keyfold/contract';
import { AppError, type ErrorCode } from '@keyfold/contract/errors';
import { type ImapFailure, type ImapLogin, ImapRefusal } from '../../../adapters/imap.ts';
import { openImap } from '../../../adapters/imap-flow.ts';
import { IMAP_LOOK_MS } from '../../../base/import-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { getFreeBytes } from '../../accounts/users/index.ts';
import { inOrder, placeOf } from './imap-places.ts';
import { sealImapSecret } from './imap-secret.ts';
import { insertImport, releaseLapsed } from './store.ts';

type StartInput = InputOf<typeof api.server_imports.start_imap>;
type Folders = OutputOf<typeof api.server_imports.imap_folders>['data']['folders'];

const ERRORS: Readonly<Record<ImapFailure, ErrorCode>> = {
  login_refused: 'imap_login_refused',
  unreachable: 'imap_unreachable',
  unknown_host: 'imap_unknown_host',
  port_refused: 'imap_port_refused',
  address_refused: 'imap_address_refused',
  certificate: 'imap_certificate',
  no_tls: 'imap_no_tls',
  not_understood: 'imap_not_understood',
  too_large: 'imap_too_large',
};

const loginOf = ({ host, port, security, user, password }: ImapLogin): ImapLogin => ({
  host,
  port,
  security,
  user,
  password,
});

/**
 * Signs in and returns the folders in the order in which an import would read them. Throws the
 * `imap_` errors.
 */
export async function findImapFolders(deps: Deps, login: ImapLogin): Promise<Folders> {
  try {
    const session = await openImap(deps, loginOf(login), AbortSignal.timeout(IMAP_LOOK_MS));
    try {
      const folders = await session.listFolders();
      return inOrder(
        folders.map(folder => ({
          name: folder.name,
          path: [...folder.path],
          count: folder.count,
          place: placeOf(folder),
        })),
      );
    } finally {
      session.close();
    }
  } catch (error) {
    if (!(error instanceof ImapRefusal)) throw error;
    throw new AppError(ERRORS[error.code]);
  }
}

/**
 * Queues an import and returns its id. Throws imap_port_refused, quota_exceeded,
 * already_in_progress.
 */
export async function startImapImport(deps: Deps, userId: string, input: StartInput): Promise<string> {
  if (!deps.config.imapPorts.includes(input.port)) throw new AppError('imap_port_refused');
  if ((await getFreeBytes(deps.db, userId)) <= 0) throw new AppError('quota_exceeded');
  const id = randomUUIDv7();
  const now = deps.clock.now();
  await releaseLapsed(deps.db, now, userId);
  const isOurs = await insertImport(deps.db, {
    userId,
    id,
    kind: 'imap',
    hasFolderTags: input.folders_as_tags,
    secretSealed: sealImapSecret(deps.masterKey, id, {
      login: loginOf(input),
      folders: input.folders,
      since: input.since,
      plan: null,
    }),
    now,
  });
  if (!isOurs) throw new AppError('already_in_progress');
  return id;
}
