// Re-wraps old mail after a key replacement, so that the old keys can be deleted (docs/crypto.md,
// Retired keys). One tab at a time does this in the background: not in a hidden tab, not offline,
// and not while the user is active. The server reports what is left, so another tab or device
// continues where a closed one stopped.
import { RECORD_KINDS } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { LARGE_RECORDS_PAGE } from '@keyfold/contract/limits';
import { leftOutOf } from '@keyfold/contract/rows';
import { keys } from '../../crypto/key-client.ts';
import { REWRAP_PAUSE_MS, REWRAP_REST_MS, rewrapRetryMs } from '../../timing.ts';
import { keyRotationClient } from '../calls/clients/key-rotation.ts';
import { mailClient } from '../calls/clients/mail.ts';
import { recordsClient } from '../calls/clients/records.ts';
import { isVersionConflict } from '../own-record.ts';
import { getUser } from '../state/current-user.ts';
import { setRewrapState } from './rewrap-state.ts';

const lockName = 'rewrap-writer';
/** Messages per page; small enough for the user's own requests to run in between. */
const MAILS_AT_ONCE = 50;
/**
 * Maximum number of times a page is requested when one of its messages was removed in the meantime.
 */
const PAGE_TRIES = 3;

let lastTouchMs = Number.NEGATIVE_INFINITY;
function touch(): void {
  lastTouchMs = performance.now();
}

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

const isBusy = (): boolean =>
  document.visibilityState === 'hidden' ||
  !navigator.onLine ||
  performance.now() - lastTouchMs < REWRAP_REST_MS;

async function rest(): Promise<void> {
  do await wait(REWRAP_PAUSE_MS);
  while (isBusy());
}

const isGone = (error: unknown): boolean => error instanceof CallError && error.status === 404;

/** Re-wraps one page. Returns the position after it, or null at the end. */
async function rewrapPage(
  after: string | undefined,
): Promise<{ readonly last: string; readonly done: number; readonly failed: number } | null> {
  for (let tries = PAGE_TRIES; ; tries -= 1) {
    const { data } = await keyRotationClient.wraps({
      count: MAILS_AT_ONCE,
      ...(after === undefined ? {} : { after }),
    });
    const last = data.at(-1)?.id;
    if (last === undefined) return null;
    const { wraps, failed } = await keys().rewrapOld(data);
    try {
      if (wraps.length > 0) await mailClient.rewrap({ wraps: [...wraps] });
      return { last, done: wraps.length, failed };
    } catch (error) {
      // A page succeeds or fails as a whole. A permanently deleted message is not in the next list.
      if (!isGone(error) || tries <= 1) throw error;
    }
  }
}

/** Re-seals the records that are under other keys. Returns how many could not be opened. */
async function resealRecords(): Promise<number> {
  const inUse = getUser().main_key.key_id;
  let failed = 0;
  for (const kind of RECORD_KINDS) {
    let after: string | undefined;
    do {
      const { data } = await recordsClient.list({
        kind,
        count: LARGE_RECORDS_PAGE,
        ...(after === undefined ? {} : { after }),
      });
      failed += leftOutOf(data);
      for (const { id, version, sealed, key_used } of data) {
        if (key_used === inUse) continue;
        try {
          const value = await keys().openRecord(kind, id, sealed);
          const made = await keys().sealOwnRecord(kind, id, value);
          await recordsClient.save({ kind, id, version, ...made });
        } catch (error) {
          // A record saved in the meantime is already under the current keys; a record whose
          // message was deleted no longer exists.
          if (isVersionConflict(error) || isGone(error)) continue;
          if (error instanceof CallError) throw error;
          failed += 1;
        }
      }
      after = data.length + leftOutOf(data) < LARGE_RECORDS_PAGE ? undefined : data.at(-1)?.id;
    } while (after !== undefined);
  }
  return failed;
}

async function countWaiting(): Promise<number> {
  const { data } = await keyRotationClient.retired({});
  return data.reduce((sum, one) => sum + one.waiting, 0);
}

/** Makes one pass over everything that is left. */
async function pass(): Promise<void> {
  let waiting = await countWaiting();
  let failed = 0;
  setRewrapState({ waiting, failed });
  if (waiting === 0) return;
  // Small, frequently used data first: the address book is among the records.
  failed += await resealRecords();
  let after: string | undefined;
  for (;;) {
    await rest();
    const page = await rewrapPage(after);
    if (page === null) break;
    after = page.last;
    waiting = Math.max(0, waiting - page.done);
    failed += page.failed;
    setRewrapState({ waiting, failed });
  }
  setRewrapState({ waiting: await countWaiting(), failed });
}

async function work(): Promise<void> {
  for (;;) {
    try {
      return await pass();
    } catch (error) {
      // The session is over, or the keys were replaced again: the page reloads in that case.
      if (error instanceof CallError && (error.status === 401 || error.code === 'keys_replaced')) return;
      await wait(rewrapRetryMs);
    }
  }
}

let isStarted = false;

/** Starts the job, once per page load. */
export function startRewrap(): void {
  if (isStarted) return;
  isStarted = true;
  for (const name of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(name, touch, { passive: true, capture: true });
  void ('locks' in navigator ? navigator.locks.request(lockName, work) : work());
}
