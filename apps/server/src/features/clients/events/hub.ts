/**
 * The open streams of this node, and what wakes them: announcements of all nodes, and a look at the database now and
 * then for those that were missed. A stream carries the names of things that happened and the mailbox's version; it ends
 * with its session.
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

/** Streams of one user on one node; more tabs than that ask by themselves. */
const STREAMS_MAX = 8;
const RETRY_AFTER_SECONDS = 60;
/** Announcements are gathered this long for one look at the versions. */
const GATHER_MS = 50;
/** Between looks at every user with a stream: changes that no announcement told, and sessions that ended. */
const LOOK_EVERY_MS = 30_000;

type OpenStream = EventStream & { readonly tokenHash: Buffer; readonly userId: string };
type Listener = { readonly streams: Set<OpenStream>; version: number };

export type EventHub = {
  /** Opens a stream for a session until its client leaves. Throws rate_limited when there are too many. */
  readonly open: (session: Session, signal: AbortSignal) => AsyncIterable<ServerEvent>;
  /** Resolves when announcements are heard. */
  readonly ready: Promise<void>;
  readonly close: () => Promise<void>;
};

export function startEventHub(
  { db, clock, logger }: Pick<Deps, 'clock' | 'db' | 'logger'>,
  connection: Connection,
): EventHub {
  const users = new Map<string, Listener>();
  let heard = new Map<string, Set<EventName>>();
  let timer: NodeJS.Timeout | undefined;
  let markReady: () => void = () => undefined;
  const ready = new Promise<void>(resolve => {
    markReady = resolve;
  });

  const tell = (userId: string, version: number, names: Iterable<EventName>): void => {
    const user = users.get(userId);
    if (user === undefined) return;
    user.version = version;
    for (const stream of user.streams) for (const name of names) stream.push(name, version);
  };

  /** Tells what was heard, with the versions of now. */
  const tellHeard = async (): Promise<void> => {
    timer = undefined;
    const told = heard;
    heard = new Map();
    const versions = await findMailboxVersions(db, [...told.keys()]);
    for (const [userId, names] of told) tell(userId, versions.get(userId) ?? 0, names);
  };

  const hear = (userId: string, name: EventName): void => {
    if (!users.has(userId)) return;
    heard.set(userId, (heard.get(userId) ?? new Set()).add(name));
    timer ??= setTimeout(() => {
      // What could not be told now is found by the next look.
      tellHeard().catch(error => logger.debug({ err: error }, 'events could not be told'));
    }, GATHER_MS);
  };

  const endDead = async (userIds: readonly string[]): Promise<void> => {
    const open = userIds.flatMap(userId => [...(users.get(userId)?.streams ?? [])]);
    if (open.length === 0) return;
    const living = await findLivingSessions(
      db,
      open.map(stream => stream.tokenHash),
      clock.now(),
    );
    const dead = open.filter(stream => !living.has(stream.tokenHash.toString('hex')));
    const suspended = await findSuspended(
      db,
      dead.map(stream => stream.userId),
    );
    for (const stream of dead) stream.end(suspended.has(stream.userId) ? 'suspended' : undefined);
  };

  const look = async (): Promise<void> => {
    await endDead([...users.keys()]);
    for (const [userId, version] of await findMailboxVersions(db, [...users.keys()]))
      if (version !== users.get(userId)?.version) tell(userId, version, ['mail', 'change']);
  };
  const lookSafely = (): void => {
    look().catch(error => logger.debug({ err: error }, 'open streams could not be looked after'));
  };

  const listener = startListener(connection, {
    channel: CHANNEL,
    logger,
    onMessage: payload => {
      const announcement = parseAnnouncement(payload);
      if (announcement === null) return;
      const { userId, kind } = announcement;
      if (kind !== 'session') hear(userId, kind);
      else if (users.has(userId)) endDead([userId]).catch(() => undefined);
    },
    onReady: () => {
      markReady();
      lookSafely();
    },
  });
  const lookTimer = setInterval(lookSafely, LOOK_EVERY_MS);

  // Counted and opened in one go: nobody else's request comes in between.
  const open: EventHub['open'] = ({ userId, tokenHash }, signal) => {
    const user = users.get(userId) ?? { streams: new Set<OpenStream>(), version: -1 };
    if (user.streams.size >= STREAMS_MAX)
      throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    users.set(userId, user);
    const stream: OpenStream = {
      tokenHash,
      userId,
      ...createStream(signal, () => {
        user.streams.delete(stream);
        if (user.streams.size === 0 && users.get(userId) === user) users.delete(userId);
      }),
    };
    user.streams.add(stream);
    // The first event says how far the mailbox is: a client that was away sees whether it missed anything.
    hear(userId, 'change');
    return stream.events;
  };

  return {
    open,
    ready,
    close: async () => {
      clearInterval(lookTimer);
      clearTimeout(timer);
      for (const { streams } of [...users.values()]) for (const stream of [...streams]) stream.end();
      await listener.close();
    },
  };
}
