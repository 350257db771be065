/**
 * Reads a mailbox at another provider folder by folder, message by message in the order of their
 * UIDs. Each item's key is folder, UIDVALIDITY and UID, so that reading can resume after it. When
 * UIDVALIDITY changes, the whole folder is read again, and messages that were imported before are
 * recognized.
 */
import { createHash } from 'node:crypto';
import { INBOUND_MAX_BYTES } from '@keyfold/contract/limits';
import type { ImapHead, ImapSession } from '../../../adapters/imap.ts';
import {
  IMAP_BREAKS_PER_MESSAGE,
  IMAP_FETCHED_AT_ONCE,
  IMAP_FETCHED_AT_ONCE_BYTES,
  IMAP_MEASURED_AT_ONCE,
  IMAP_MESSAGES_MAX,
} from '../../../base/import-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { inOrder, placeMail, placeOf } from './imap-places.ts';
import { type ImapSecret, type PlannedFolder, sealImapSecret } from './imap-secret.ts';
import { type SourceItem, SourceRefused, type Turn } from './source.ts';

type Place = { readonly folder: number; readonly uidValidity: string; readonly uid: number };

export type Reading = {
  readonly masterKey: Deps['masterKey'];
  readonly turn: Turn;
  readonly session: ImapSession;
  readonly secret: ImapSecret;
};

/** An open folder. */
type OpenFolder = { readonly folder: PlannedFolder; readonly place: Omit<Place, 'uid'> };

const keyOf = ({ folder, uidValidity, uid }: Place): string => `${folder}:${uidValidity}:${uid}`;

function placeOfKey(key: string | null): Place {
  const [folder = '0', uidValidity = '', uid = '0'] = (key ?? '0::0').split(':');
  return { folder: Number(folder), uidValidity, uid: Number(uid) };
}

/** Number of messages in folders. Bounded, because a server may claim any number. */
const sumOf = (folders: readonly PlannedFolder[]): number =>
  folders.reduce((sum, { count }) => Math.min(IMAP_MESSAGES_MAX, sum + count), 0);

/** The selected folders that exist at present. */
async function planFolders(session: ImapSession, secret: ImapSecret): Promise<PlannedFolder[]> {
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
}

/** Batches of messages to fetch at once, limited by number and bytes. */
function* batchesOf(uids: readonly number[], heads: ReadonlyMap<number, ImapHead>, batchMax: number) {
  let batch: number[] = [];
  let sizeBytes = 0;
  for (const uid of uids) {
    const size = heads.get(uid)?.sizeBytes ?? 0;
    if (batch.length >= batchMax || (batch.length > 0 && sizeBytes + size > IMAP_FETCHED_AT_ONCE_BYTES)) {
      yield batch;
      batch = [];
      sizeBytes = 0;
    }
    batch.push(uid);
    sizeBytes += size;
  }
  if (batch.length > 0) yield batch;
}

function toItem(
  { masterKey, turn }: Reading,
  { folder, place }: OpenFolder,
  uid: number,
  head: ImapHead | undefined,
  raw: Uint8Array | undefined,
): SourceItem {
  const key = keyOf({ ...place, uid });
  if (head !== undefined && raw !== undefined)
    return {
      kind: 'mail',
      key,
      raw,
      receivedAt: head.receivedAt,
      ...placeMail(folder, head),
      receiptDigest: masterKey.digest('imap-import', turn.job.id, createHash('sha256').update(raw).digest()),
    };
  // Expunged in the meantime, or marked for that.
  if (head === undefined || head.isDeleted) return { kind: 'skipped', key };
  return { kind: 'failed', key, reason: head.sizeBytes > INBOUND_MAX_BYTES ? 'too_large' : 'damaged' };
}

/** Imports a batch in the order of the UIDs, whatever the server returns. */
async function takeBatch(
  reading: Reading,
  opened: OpenFolder,
  uids: readonly number[],
  heads: ReadonlyMap<number, ImapHead>,
): Promise<void> {
  const { session, turn } = reading;
  const wanted = uids.filter(uid => {
    const head = heads.get(uid);
    return head !== undefined && !head.isDeleted && head.sizeBytes <= INBOUND_MAX_BYTES;
  });
  const raws: ReadonlyMap<number, Uint8Array> = wanted.length === 0 ? new Map() : await session.fetch(wanted);
  for (const uid of uids) {
    const isMissing = wanted.length > 1 && wanted.includes(uid) && !raws.has(uid);
    // Another message of the batch may have broken the response, so a missing one is fetched alone.
    const raw = (isMissing ? await session.fetch([uid]) : raws).get(uid);
    await turn.take(toItem(reading, opened, uid, heads.get(uid), raw));
  }
}

/**
 * The UIDs that are left in a folder. Skips the message at which the connection broke too often.
 */
async function findRemaining(
  { session, secret, turn }: Reading,
  { place }: OpenFolder,
  laterFolders: readonly PlannedFolder[],
): Promise<readonly number[]> {
  const last = placeOfKey(turn.lastKey());
  const isSame = last.folder === place.folder && last.uidValidity === place.uidValidity;
  const uids = await session.findUids(isSame ? last.uid : 0, secret.since);
  const total = turn.processed() + uids.length;
  if (total > IMAP_MESSAGES_MAX) throw new SourceRefused('too_large');
  await turn.note({ total: total + sumOf(laterFolders) });
  const [first] = uids;
  if (first === undefined || turn.deaths() < IMAP_BREAKS_PER_MESSAGE) return uids;
  await turn.take({ kind: 'failed', key: keyOf({ ...place, uid: first }), reason: 'damaged' });
  return uids.slice(1);
}

async function readFolder(reading: Reading, plan: readonly PlannedFolder[], index: number): Promise<void> {
  const { session, turn } = reading;
  const folder = plan[index];
  if (folder === undefined) return;
  const found = await session.openFolder(folder.name);
  if (found === null) {
    // Deleted, or not readable: reported once.
    const key = keyOf({ folder: index, uidValidity: '', uid: 0 });
    if (turn.lastKey() !== key) await turn.take({ kind: 'failed', key, reason: 'unsupported' });
    return;
  }
  const opened = { folder, place: { folder: index, uidValidity: found.uidValidity } };
  // After an interruption messages are fetched one by one, to find out which one breaks the
  // connection.
  const batchMax = turn.deaths() > 0 ? 1 : IMAP_FETCHED_AT_ONCE;
  const uids = await findRemaining(reading, opened, plan.slice(index + 1));
  for (let at = 0; at < uids.length; at += IMAP_MEASURED_AT_ONCE) {
    const measured = uids.slice(at, at + IMAP_MEASURED_AT_ONCE);
    const heads = await session.measure(measured);
    for (const batch of batchesOf(measured, heads, batchMax)) await takeBatch(reading, opened, batch, heads);
  }
}

/** Reads the mailbox from the turn's last key to its end. */
export async function readMailbox(reading: Reading): Promise<void> {
  const { masterKey, session, secret, turn } = reading;
  await turn.note({});
  let { plan } = secret;
  if (plan === null) {
    plan = await planFolders(session, secret);
    const secretSealed = sealImapSecret(masterKey, turn.job.id, { ...secret, plan });
    await turn.note({ secretSealed, total: sumOf(plan) });
  }
  for (let index = placeOfKey(turn.lastKey()).folder; index < plan.length; index++)
    await readFolder(reading, plan, index);
  await turn.note({ total: turn.processed() });
}
