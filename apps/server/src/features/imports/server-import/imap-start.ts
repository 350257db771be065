/**
 * Mailboxes at other providers: looked into, and put into the queue of imports.
 *
 * [Note: Credentials of an import] User name and password are never on the disk or in a log in the clear. While an import waits
 * or runs they stand in its row, sealed under the master key; the statement that ends it, however it ends, takes them, and a
 * suspension ends it. They are opened once for each turn, which is some minutes. Each mail is in the memory of this process
 * until it is sealed.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { api, InputOf, OutputOf } from '@keyfold/contract';
import { AppError, type ErrorCode } from '@keyfold/contract/errors';
import { type ImapFailure, type ImapLogin, ImapRefusal } from '../../../adapters/imap.ts';
import { openImap } from '../../../adapters/imap-flow.ts';
import { IMAP_LOOK_MS } from '../../../base/limits.ts';
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

/** Signs in, and gives the folders in the order in which they would be read. Throws the `imap_` errors. */
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

/** Puts an import into the queue; gives its id. Throws imap_port_refused, quota_exceeded, already_in_progress. */
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
