/**
 * A mailbox at another provider as what an import reads from: folder by folder, message by message in the order of their
 * numbers, so that folder, UIDVALIDITY and UID say where to go on. Where UIDVALIDITY is another one the folder is read anew,
 * and what was brought in already is recognised. See [Note: Credentials of an import] in imap-start.ts.
 */
import { createHash } from 'node:crypto';
import { INBOUND_MAX_BYTES } from '@keyfold/contract/limits';
import { type ImapHead, ImapRefusal, type ImapSession } from '../../../adapters/imap.ts';
import { openImap } from '../../../adapters/imap-flow.ts';
import {
  IMAP_BREAKS_MAX,
  IMAP_BREAKS_PER_MESSAGE,
  IMAP_FETCHED_AT_ONCE,
  IMAP_FETCHED_AT_ONCE_BYTES,
  IMAP_IMPORT_MS,
  IMAP_MEASURED_AT_ONCE,
  IMAP_MESSAGES_MAX,
  IMAP_TURN_MS,
  IMAP_WAIT_MAX_MS,
  IMAP_WAIT_MS,
} from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { inOrder, placeMail, placeOf } from './imap-places.ts';
import { type ImapSecret, openImapSecret, type PlannedFolder, sealImapSecret } from './imap-secret.ts';
import { type ImportSource, Postponed, type SourceItem, SourceRefused, type Turn } from './source.ts';

/** The way to a mailbox; tests have their own. */
export type ImapOpener = typeof openImap;

type Place = { readonly folder: number; readonly uidValidity: string; readonly uid: number };

const keyOf = ({ folder, uidValidity, uid }: Place): string => `${folder}:${uidValidity}:${uid}`;

function placeOfKey(key: string | null): Place {
  const [folder = '0', uidValidity = '', uid = '0'] = (key ?? '0::0').split(':');
  return { folder: Number(folder), uidValidity, uid: Number(uid) };
}

/** What is said of how many there are; a server may say anything. */
const sumOf = (folders: readonly PlannedFolder[]): number =>
  folders.reduce((sum, { count }) => Math.min(IMAP_MESSAGES_MAX, sum + count), 0);

/** What may pass by itself. */
const isPassing = ({ code }: ImapRefusal): boolean =>
  code === 'unreachable' || code === 'unknown_host' || code === 'not_understood';

/** The word for it in what is told of imports: by then its host was known, and its port allowed. */
function endOf({ code }: ImapRefusal): SourceRefused {
  if (code === 'unknown_host') return new SourceRefused('unreachable');
  return new SourceRefused(code === 'port_refused' ? 'address_refused' : code);
}

export type ImapSourceOptions = { readonly turnMs?: number; readonly open?: ImapOpener };

export function createImapSource(
  deps: Pick<Deps, 'clock' | 'config' | 'dns' | 'masterKey' | 'outboundConnector'>,
  { turnMs = IMAP_TURN_MS, open = openImap }: ImapSourceOptions = {},
): ImportSource {
  const { masterKey } = deps;

  /** The folders that are wanted, as they are now. */
  const planOf = async (session: ImapSession, secret: ImapSecret): Promise<PlannedFolder[]> => {
    const wanted = secret.folders === null ? null : new Set(secret.folders);
    const folders: PlannedFolder[] = [];
    for (const folder of await session.listFolders()) {
      if (wanted?.has(folder.name) === false) continue;
      folders.push({
        name: folder.name,
        path: folder.path,
        place: placeOf(folder),
        count: folder.count ?? 0,
      });
    }
    return inOrder(folders);
  };

  const toMail = (
    turn: Turn,
    folder: PlannedFolder,
    key: string,
    head: ImapHead,
    raw: Uint8Array,
  ): SourceItem => ({
    kind: 'mail',
    key,
    raw,
    receivedAt: head.receivedAt,
    ...placeMail(folder, head),
    receiptDigest: masterKey.digest('imap-import', turn.job.id, createHash('sha256').update(raw).digest()),
  });

  /** Brings some messages in, in the order of their numbers, whatever the server gives of them. */
  const takeSome = async (
    turn: Turn,
    session: ImapSession,
    folder: PlannedFolder,
    uids: readonly number[],
    place: Omit<Place, 'uid'>,
    heads: ReadonlyMap<number, ImapHead>,
  ): Promise<void> => {
    const wanted = uids.filter(uid => {
      const head = heads.get(uid);
      return head !== undefined && !head.isDeleted && head.sizeBytes <= INBOUND_MAX_BYTES;
    });
    const raws: ReadonlyMap<number, Uint8Array> =
      wanted.length === 0 ? new Map() : await session.fetch(wanted);
    for (const uid of uids) {
      const key = keyOf({ ...place, uid });
      const head = heads.get(uid);
      const isLeftOut = wanted.length > 1 && wanted.includes(uid) && !raws.has(uid);
      // What broke an answer to many may be one of the others.
      const raw = (isLeftOut ? await session.fetch([uid]) : raws).get(uid);
      if (head !== undefined && raw !== undefined) await turn.take(toMail(turn, folder, key, head, raw));
      // Gone since, or marked to be removed.
      else if (head === undefined || head.isDeleted) await turn.take({ kind: 'skipped', key });
      else {
        const isTooLarge = head.sizeBytes > INBOUND_MAX_BYTES;
        await turn.take({ kind: 'failed', key, reason: isTooLarge ? 'too_large' : 'damaged' });
      }
    }
  };

  /** Portions of messages that are fetched at once: bounded in number and bytes. */
  function* portionsOf(uids: readonly number[], heads: ReadonlyMap<number, ImapHead>, most: number) {
    let portion: number[] = [];
    let sizeBytes = 0;
    for (const uid of uids) {
      const size = heads.get(uid)?.sizeBytes ?? 0;
      if (portion.length >= most || (portion.length > 0 && sizeBytes + size > IMAP_FETCHED_AT_ONCE_BYTES)) {
        yield portion;
        portion = [];
        sizeBytes = 0;
      }
      portion.push(uid);
      sizeBytes += size;
    }
    if (portion.length > 0) yield portion;
  }

  const readFolder = async (
    turn: Turn,
    session: ImapSession,
    secret: ImapSecret,
    plan: readonly PlannedFolder[],
    index: number,
  ): Promise<void> => {
    const folder = plan[index];
    if (folder === undefined) return;
    const last = placeOfKey(turn.lastKey());
    const opened = await session.openFolder(folder.name);
    if (opened === null) {
      // It is gone, or may not be read; that is told once.
      const key = keyOf({ folder: index, uidValidity: '', uid: 0 });
      if (turn.lastKey() !== key) await turn.take({ kind: 'failed', key, reason: 'unsupported' });
      return;
    }
    const place = { folder: index, uidValidity: opened.uidValidity };
    const isSame = last.folder === index && last.uidValidity === opened.uidValidity;
    let uids = await session.findUids(isSame ? last.uid : 0, secret.since);
    const until = turn.processed() + uids.length;
    if (until > IMAP_MESSAGES_MAX) throw new SourceRefused('too_large');
    await turn.note({ total: until + sumOf(plan.slice(index + 1)) });
    const isCareful = turn.deaths() > 0;
    const first = uids[0];
    // After an interruption one goes on message by message; whatever was tried, the connection ended at this one.
    if (first !== undefined && turn.deaths() >= IMAP_BREAKS_PER_MESSAGE) {
      await turn.take({ kind: 'failed', key: keyOf({ ...place, uid: first }), reason: 'damaged' });
      uids = uids.slice(1);
    }
    for (let at = 0; at < uids.length; at += IMAP_MEASURED_AT_ONCE) {
      const some = uids.slice(at, at + IMAP_MEASURED_AT_ONCE);
      const heads = await session.measure(some);
      for (const portion of portionsOf(some, heads, isCareful ? 1 : IMAP_FETCHED_AT_ONCE))
        await takeSome(turn, session, folder, portion, place, heads);
    }
  };

  const readAll = async (turn: Turn, session: ImapSession, secret: ImapSecret): Promise<void> => {
    await turn.note({});
    let { plan } = secret;
    if (plan === null) {
      plan = await planOf(session, secret);
      const secretSealed = sealImapSecret(masterKey, turn.job.id, { ...secret, plan });
      await turn.note({ secretSealed, total: sumOf(plan) });
    }
    for (let index = placeOfKey(turn.lastKey()).folder; index < plan.length; index++)
      await readFolder(turn, session, secret, plan, index);
    await turn.note({ total: turn.processed() });
  };

  /** What becomes of an import that was interrupted: it waits, longer each time, or ends. */
  const bear = async (turn: Turn, refusal: ImapRefusal): Promise<never> => {
    turn.signal.throwIfAborted();
    if (!isPassing(refusal)) throw endOf(refusal);
    const deaths = turn.deaths() + 1;
    if (deaths >= IMAP_BREAKS_MAX) throw endOf(refusal);
    await turn.note({ deaths });
    throw new Postponed(Math.min(IMAP_WAIT_MAX_MS, IMAP_WAIT_MS * 2 ** (deaths - 1)));
  };

  return {
    kind: 'imap',
    turnMs,
    isTurnFirm: true,
    isForgiving: true,
    readingMs: () => Number.POSITIVE_INFINITY,
    // What opens another provider's mailbox is kept for nobody who may not use this one.
    whileSuspended: () => new SourceRefused('suspended'),
    forget: async () => undefined,
    read: async turn => {
      const { job, signal } = turn;
      if (job.secretSealed === null) throw new SourceRefused('lost');
      if (deps.clock.now().getTime() - job.createdAt.getTime() > IMAP_IMPORT_MS)
        throw new SourceRefused('too_slow');
      const secret = openImapSecret(masterKey, job.id, job.secretSealed);
      let session: ImapSession | null = null;
      try {
        session = await open(deps, secret.login, signal);
        await readAll(turn, session, secret);
      } catch (error) {
        if (!(error instanceof ImapRefusal)) throw error;
        await bear(turn, error);
      } finally {
        session?.close();
      }
    },
  };
}
