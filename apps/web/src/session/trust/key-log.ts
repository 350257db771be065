// Looks up keys of addresses. Every response is verified against the key log (docs/crypto.md) and
// what this user's devices have seen of it, which is stored in a sealed record. An inconsistency
// aborts the operation that needed the keys, and is reported until the user has reviewed it.
import type { AddressKeys } from '@keyfold/contract';
import { keyLogCalls } from '@keyfold/contract/calls/key-log';
import { CallError } from '@keyfold/contract/client';
import { KEYS_MAX } from '@keyfold/contract/limits';
import { CRYPTO_ERRORS } from '@keyfold/crypto/errors';
import { z } from 'zod';
import { keys } from '../../crypto/key-client.ts';
import type { SignedState } from '../../crypto/keys/key-log-check.ts';
import { t } from '../../lib/language.ts';
import { findSetting, keepSetting } from '../../lib/local-storage.ts';
import { clientOf } from '../calls/client.ts';
import { mailClient } from '../calls/clients/mail.ts';
import { recordsClient } from '../calls/clients/records.ts';
import { findOwnRecord, isVersionConflict, saveOwnRecord } from '../own-record.ts';
import { getUser } from '../state/current-user.ts';
import { raiseKeyAlarm } from './key-alarm.ts';

const keyLogClient = clientOf(keyLogCalls);

const state = z.object({ key: z.string(), size: z.number(), root: z.string(), signature: z.string() });
/** Stored data: the newest state, and the reported versions of the user's own addresses. */
const stored = z.object({ seen: state, told: z.record(z.string(), z.number()).catch({}) });

const kind = 'setting';
const recordId = 'key-log';
const settingName = 'key_log';
const SAVE_TRIES = 3;
/**
 * Number of successive comparisons that the server may answer with an error before that is reported
 * too.
 */
const UNANSWERED_MAX = 3;

/**
 * The newest known state of the log, the user whose devices saw it, and the version of the record
 * that stored it.
 */
let seen: SignedState | null = null;
let told: Readonly<Record<string, number>> = {};
let owner = '';
let version = 0;
let loading: Promise<void> | null = null;
let turn: Promise<unknown> = Promise.resolve();

/** Returns whether the log itself is inconsistent; other errors say nothing about it. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.message === CRYPTO_ERRORS.key_log_refused;
const refusal = (): Error => new Error(CRYPTO_ERRORS.key_log_refused);

async function findKept(): Promise<z.infer<typeof stored> | null> {
  const found = await findOwnRecord(kind, recordId);
  version = found?.version ?? 0;
  return found === null ? null : stored.parse(found.value);
}

/** Verifies the log's proof that the newer of two states extends the older one. */
async function compare(a: SignedState, b: SignedState): Promise<void> {
  if (a.key !== b.key) throw refusal();
  const [before, after] = a.size <= b.size ? [a, b] : [b, a];
  const { data } = await keyLogClient.growth({ from: before.size, to: after.size }).catch(error => {
    // A state that was seen but is unknown to the service does not belong to its log.
    throw error instanceof CallError && error.code === 'not_found' ? refusal() : error;
  });
  await keys().checkStates(before, after, data.path);
}

/**
 * Returns the state this device saw under any user: a service has one log, and might withhold the
 * record.
 */
function findHere(): SignedState | null {
  try {
    return state.parse(JSON.parse(findSetting(settingName) ?? ''));
  } catch {
    return null;
  }
}

/** Adopts the newer of the known states, never an older one than before. */
async function take(other: SignedState | null): Promise<void> {
  if (other === null) return;
  if (seen !== null) await compare(other, seen);
  if (other.size > (seen?.size ?? 0)) seen = other;
}

async function loadBoth(): Promise<void> {
  const kept = await findKept();
  told = kept?.told ?? {};
  await take(kept?.seen ?? null);
  await take(findHere());
}

function load(): Promise<void> {
  const { email } = getUser();
  if (email !== owner) {
    owner = email;
    seen = null;
    loading = null;
  }
  loading ??= loadBoth().catch(error => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Saves the seen state for the other devices, and compares it with what they saved meanwhile. */
async function save(): Promise<void> {
  for (let tries = SAVE_TRIES; tries > 0 && seen !== null; tries -= 1) {
    try {
      version = await saveOwnRecord(kind, recordId, version, { seen, told });
      return;
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
      const theirs = await findKept();
      if (theirs === null) continue;
      await take(theirs.seen);
      told = { ...theirs.told, ...told };
    }
  }
}

const saveSoon = (): void =>
  void save().catch(error => (isRefusal(error) ? raiseKeyAlarm({ kind: 'log' }) : undefined));

async function askOnce(addresses: readonly string[]) {
  await load();
  const { data, log } = await mailClient.keys({
    users: [...addresses],
    ...(seen === null ? {} : { log_size: seen.size }),
  });
  const checked = await keys().checkKeyAnswer(seen, addresses, data, log);
  const isNews = seen?.size !== checked.seen.size;
  seen = checked.seen;
  keepSetting(settingName, JSON.stringify(seen));
  if (isNews) saveSoon();
  return { data, entries: checked.entries };
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work, work);
  turn = done.catch(() => undefined);
  return done;
}

async function askSome(addresses: readonly string[]) {
  try {
    // A newer state from another device may explain the mismatch.
    return await askOnce(addresses).catch(error => {
      if (!isRefusal(error)) throw error;
      loading = null;
      return askOnce(addresses);
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    raiseKeyAlarm({ kind: 'log' });
    throw new Error(t('These keys couldn’t be confirmed, so nothing is encrypted with them'));
  }
}

const askInTurn = (addresses: readonly string[]) =>
  inTurn(async () => {
    const answers: Awaited<ReturnType<typeof askSome>>[] = [];
    for (let at = 0; at < addresses.length; at += KEYS_MAX)
      answers.push(await askSome(addresses.slice(at, at + KEYS_MAX)));
    return { data: answers.flatMap(({ data }) => data), entries: answers.flatMap(({ entries }) => entries) };
  });

/**
 * Returns the verified keys of normalized addresses, in order. Rejects with CallError when there
 * was no response, and with a user-facing error when the response is inconsistent.
 */
export async function askKeys(addresses: readonly string[]): Promise<AddressKeys[]> {
  return (await askInTurn(addresses)).data;
}

/** Checks whether the log ever named foreign keys, or none, for the user's own addresses. */
export async function checkOwnAddresses(): Promise<void> {
  const { email, addresses } = getUser();
  const own = [email, ...addresses];
  const { entries } = await askInTurn(own);
  for (const [at, address] of own.entries()) {
    try {
      const { data } = await keyLogClient.history({ address });
      const found = await keys().findForeignVersion(entries[at] ?? null, data, told[address] ?? 0);
      if (found !== null) raiseKeyAlarm({ kind: 'own', address, ...found });
    } catch (error) {
      // An unanswered request for one address does not hide the problems of others.
      if (isRefusal(error)) raiseKeyAlarm({ kind: 'log' });
    }
  }
}

/**
 * Records that all versions of the user's own addresses were checked and belong to the user, before
 * some of their keys are destroyed. Rejects when one does not, or when the record cannot be saved.
 */
export async function settleOwnHistory(): Promise<void> {
  const { email, addresses } = getUser();
  const own = [email, ...addresses];
  const { entries } = await askInTurn(own);
  const settled: Record<string, number> = {};
  for (const [at, address] of own.entries()) {
    const { data } = await keyLogClient.history({ address });
    const found = await keys().findForeignVersion(entries[at] ?? null, data, told[address] ?? 0);
    if (found !== null) {
      raiseKeyAlarm({ kind: 'own', address, ...found });
      throw new Error(t('The key log lists keys for {address} that aren’t yours', { address }));
    }
    settled[address] = data.at(-1)?.version ?? 0;
  }
  told = { ...told, ...settled };
  await save();
}

/**
 * Records that the user has read about a version of an own address, so that no device reports it
 * again.
 */
export function noteTold(address: string, versionTold: number): void {
  told = { ...told, [address]: versionTold };
  saveSoon();
}

const compared = new Set<string>();
let unanswered = 0;

/** Compares the state seen by the sender of a message with the one seen here, each state once. */
export async function compareSeen(sender: string, theirs: SignedState): Promise<void> {
  const name = `${theirs.key} ${theirs.size} ${theirs.root}`;
  if (compared.has(name)) return;
  try {
    await inTurn(async () => {
      if (!(await keys().isSignedState(theirs))) return;
      await load();
      if (seen === null) return;
      if (theirs.key !== seen.key) {
        // Anyone can invent a log, so this only warns that the sender names another one.
        raiseKeyAlarm({ kind: 'elsewhere', sender });
        return;
      }
      if (theirs.size > seen.size) await askOnce([getUser().email]);
      await compare(theirs, seen);
    });
    compared.add(name);
    unanswered = 0;
  } catch (error) {
    const isAnswer = error instanceof CallError && error.status !== 0 && error.status !== 401;
    if (isAnswer) unanswered += 1;
    if (isRefusal(error) || unanswered >= UNANSWERED_MAX) raiseKeyAlarm({ kind: 'log' });
  }
}

/**
 * Forgets the seen state because the user confirms that the log was restarted for a good reason.
 */
export async function trustLogAnew(): Promise<void> {
  await inTurn(async () => {
    keepSetting(settingName, '');
    await recordsClient.remove({ kind, id: recordId });
    seen = null;
    version = 0;
  });
}
