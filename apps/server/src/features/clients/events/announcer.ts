/**
 * Announces changed mailboxes to all nodes: collects this process's notes briefly and sends those
 * whose version has been committed, in a separate statement. NOTIFY inside each write would
 * serialize the writes.
 */
import { sql } from 'kysely';
import type { Deps } from '../../../context/deps.ts';
import { type NotedChange, watchChanges } from '../../../db/changes.ts';
import { CHANNEL, formatAnnouncement } from './channel.ts';

/** How long notes are collected, in milliseconds. */
const GATHER_MS = 100;
/**
 * Maximum delay between checks for a version that is not committed yet; the delay doubles up to it.
 */
const LAST_GATHER_MS = 2_000;
/** A note whose version is not committed by then belongs to a transaction that failed. */
const GIVE_UP_MS = 60_000;
const NOTES_MAX = 20_000;

type Note = { version: number; readonly notedAtMs: number };

type Announcer = { readonly close: () => Promise<void> };

export function startAnnouncer({ db, logger }: Pick<Deps, 'db' | 'logger'>): Announcer {
  /** Keyed by announcement, so that each user and kind is queued once. */
  let waiting = new Map<string, Note & { readonly userId: string }>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let waitMs = GATHER_MS;

  const announce = async (): Promise<void> => {
    timer = undefined;
    const asked = waiting;
    waiting = new Map();
    const payloads = [...asked.keys()];
    const notes = [...asked.values()];
    try {
      const { rows } = await sql<{ payload: string }>`
        select n.payload, pg_notify(${CHANNEL}, n.payload)
        from unnest(
          ${payloads}::text[], ${notes.map(note => note.userId)}::uuid[], ${notes.map(note => note.version)}::bigint[]
        ) as n (payload, user_id, version)
        join mailboxes b on b.user_id = n.user_id and b.version >= n.version`.execute(db);
      for (const { payload } of rows) asked.delete(payload);
      waitMs = rows.length > 0 ? GATHER_MS : Math.min(LAST_GATHER_MS, waitMs * 2);
    } catch (error) {
      // Clients that miss an announcement poll by themselves, so a failure only delays them.
      logger.debug({ err: error }, 'could not announce changes');
      waitMs = LAST_GATHER_MS;
    }
    for (const [payload, note] of asked)
      if (Date.now() - note.notedAtMs < GIVE_UP_MS && !waiting.has(payload)) waiting.set(payload, note);
    if (waiting.size > 0) schedule(waitMs);
  };

  const schedule = (afterMs: number): void => {
    timer ??= setTimeout(() => {
      running = running.then(announce);
    }, afterMs);
  };

  const note = ({ userId, version, kind }: NotedChange): void => {
    const payload = formatAnnouncement({ userId, kind });
    const known = waiting.get(payload);
    if (known === undefined && waiting.size >= NOTES_MAX) return;
    waiting.set(payload, { userId, notedAtMs: Date.now(), version: Math.max(version, known?.version ?? 0) });
    schedule(GATHER_MS);
  };

  const stop = watchChanges(db, note);
  return {
    close: async () => {
      stop();
      clearTimeout(timer);
      await running;
      if (waiting.size > 0) await announce();
      clearTimeout(timer);
    },
  };
}
