/**
 * The open event streams of this node. Announcements of all nodes feed them, and a periodic check
 * of the database finds changes whose announcement was lost. An event has a name and the mailbox's
 * version. A stream ends with its session.
 */
import type { EventName } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { ServerEvent, Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { startListener } from '../../../db/listener.ts';
import type { Connection } from '../../../db/pool.ts';
import { findLivingSessions } from '../../accounts/auth/index.ts';
import { CHANNEL, parseAnnouncement } from './channel.ts';
import { findMailboxVersions, findSuspended } from './store.ts';
import { createStream, type EventStream } from './stream.ts';

/** Streams of one user on one node; further tabs poll. */
const STREAMS_MAX = 8;
const RETRY_AFTER_SECONDS = 60;
/** Announcements are batched for this long, so that one query finds all versions. */
const BATCH_MS = 50;
/** Interval of the check for missed changes and ended sessions. */
const CHECK_EVERY_MS = 30_000;

type OpenStream = EventStream & { readonly tokenHash: Buffer; readonly userId: string };
type Subscriber = { readonly streams: Set<OpenStream>; version: number };

type HubState = Pick<Deps, 'clock' | 'db' | 'logger'> & {
  /** Users with an open stream. */
  readonly subscribers: Map<string, Subscriber>;
  /** Announced events by user that are not sent yet. */
  pending: Map<string, Set<EventName>>;
  timer: NodeJS.Timeout | undefined;
};

export type EventHub = {
  /**
   * Opens a stream for a session until its client disconnects. Throws rate_limited when there are
   * too many.
   */
  readonly open: (session: Session, signal: AbortSignal) => AsyncIterable<ServerEvent>;
  /** Resolves when the hub receives announcements. */
  readonly ready: Promise<void>;
  readonly close: () => Promise<void>;
};

function push({ subscribers }: HubState, userId: string, version: number, names: Iterable<EventName>): void {
  const subscriber = subscribers.get(userId);
  if (subscriber === undefined) return;
  subscriber.version = version;
  for (const stream of subscriber.streams) for (const name of names) stream.push(name, version);
}

/** Sends the pending events, with the current versions. */
async function flush(hub: HubState): Promise<void> {
  hub.timer = undefined;
  const events = hub.pending;
  hub.pending = new Map();
  const versions = await findMailboxVersions(hub.db, [...events.keys()]);
  for (const [userId, names] of events) push(hub, userId, versions.get(userId) ?? 0, names);
}

function enqueue(hub: HubState, userId: string, name: EventName): void {
  if (!hub.subscribers.has(userId)) return;
  hub.pending.set(userId, (hub.pending.get(userId) ?? new Set()).add(name));
  hub.timer ??= setTimeout(() => {
    // The next periodic check finds what could not be sent now.
    flush(hub).catch(error => hub.logger.debug({ err: error }, 'could not send events'));
  }, BATCH_MS);
}

/** Ends the streams of these users whose sessions have ended. */
async function endStale({ clock, db, subscribers }: HubState, userIds: readonly string[]): Promise<void> {
  const open = userIds.flatMap(userId => [...(subscribers.get(userId)?.streams ?? [])]);
  if (open.length === 0) return;
  const living = await findLivingSessions(
    db,
    open.map(stream => stream.tokenHash),
    clock.now(),
  );
  const stale = open.filter(stream => !living.has(stream.tokenHash.toString('hex')));
  const suspended = await findSuspended(
    db,
    stale.map(stream => stream.userId),
  );
  for (const stream of stale) stream.end(suspended.has(stream.userId) ? 'suspended' : undefined);
}

async function checkAll(hub: HubState): Promise<void> {
  const { db, subscribers } = hub;
  await endStale(hub, [...subscribers.keys()]);
  for (const [userId, version] of await findMailboxVersions(db, [...subscribers.keys()]))
    if (version !== subscribers.get(userId)?.version) push(hub, userId, version, ['mail', 'change']);
}

function startCheck(hub: HubState): void {
  checkAll(hub).catch(error => hub.logger.debug({ err: error }, 'could not check open event streams'));
}

function handleAnnouncement(hub: HubState, payload: string): void {
  const announcement = parseAnnouncement(payload);
  if (announcement === null) return;
  const { userId, kind } = announcement;
  if (kind !== 'session') enqueue(hub, userId, kind);
  else if (hub.subscribers.has(userId)) endStale(hub, [userId]).catch(() => undefined);
}

/** Synchronous, so that no other request comes between counting the streams and adding one. */
function openStream(
  hub: HubState,
  { userId, tokenHash }: Session,
  signal: AbortSignal,
): AsyncIterable<ServerEvent> {
  const { subscribers } = hub;
  const subscriber = subscribers.get(userId) ?? { streams: new Set<OpenStream>(), version: -1 };
  if (subscriber.streams.size >= STREAMS_MAX)
    throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  subscribers.set(userId, subscriber);
  const stream: OpenStream = {
    tokenHash,
    userId,
    ...createStream(signal, () => {
      subscriber.streams.delete(stream);
      if (subscriber.streams.size === 0 && subscribers.get(userId) === subscriber) subscribers.delete(userId);
    }),
  };
  subscriber.streams.add(stream);
  // The first event has the current version: a client that was offline sees whether it missed
  // anything.
  enqueue(hub, userId, 'change');
  return stream.events;
}

export function startEventHub(
  { db, clock, logger }: Pick<Deps, 'clock' | 'db' | 'logger'>,
  connection: Connection,
): EventHub {
  const hub: HubState = { db, clock, logger, subscribers: new Map(), pending: new Map(), timer: undefined };
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>();
  const listener = startListener(connection, {
    channel: CHANNEL,
    logger,
    onMessage: payload => handleAnnouncement(hub, payload),
    onReady: () => {
      markReady();
      startCheck(hub);
    },
  });
  const checkTimer = setInterval(() => startCheck(hub), CHECK_EVERY_MS);
  return {
    open: (session, signal) => openStream(hub, session, signal),
    ready,
    close: async () => {
      clearInterval(checkTimer);
      clearTimeout(hub.timer);
      for (const { streams } of [...hub.subscribers.values()])
        for (const stream of [...streams]) stream.end();
      await listener.close();
    },
  };
}
