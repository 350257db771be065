/**
 * Tells devices of news: looks through mailboxes as their changes are announced, and through all that changed now and then
 * for what no announcement told; and sends what waits, at once or when it is due. What is told is features/push's.
 */

import type { PushKind } from '../adapters/push.ts';
import { startListener } from '../db/listener.ts';
import type { Connection } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { CHANNEL, parseAnnouncement } from '../features/events/service.ts';
import {
  createGatherer,
  createPusher,
  createSenders,
  onPushWake,
  publishPushGauges,
} from '../features/push/service.ts';
import { PUSH_AT_ONCE } from '../limits.ts';

export type PushOptions = {
  /** Announcements are gathered this long: mail that is read at once is no news. */
  readonly gatherMs?: number;
  /** How often all mailboxes that changed, and the queue, are looked at without being told. */
  readonly lookEveryMs?: number;
};

const GATHER_MS = 1_000;
const LOOK_EVERY_MS = 30_000;
const WAIT_MIN_MS = 100;

export type RunningPush = {
  /** Resolves when announcements are heard. */
  readonly ready: Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts both; `close` waits for what runs now. */
export const startPush = (
  deps: Deps,
  connection: Connection,
  { gatherMs = GATHER_MS, lookEveryMs = LOOK_EVERY_MS }: PushOptions = {},
): RunningPush => {
  const senders = createSenders(deps);
  const gatherer = createGatherer(deps, Object.keys(senders) as PushKind[]);
  const pusher = createPusher(deps, senders);
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>();
  let isClosing = false;
  let heard = new Set<string>();
  let gathering: Promise<unknown> = Promise.resolve();
  let gatherTimer: NodeJS.Timeout | undefined;
  publishPushGauges(deps);

  const gather = (userIds: readonly string[] | null): void => {
    gathering = gathering
      .then(() => (isClosing ? 0 : gatherer.look(userIds)))
      .catch(error => deps.logger.debug({ err: error }, 'changed mailboxes could not be looked at'));
  };
  const hear = (userId: string): void => {
    heard.add(userId);
    gatherTimer ??= setTimeout(() => {
      const userIds = [...heard];
      heard = new Set();
      gatherTimer = undefined;
      gather(userIds);
    }, gatherMs);
  };
  const listener = startListener(connection, {
    channel: CHANNEL,
    logger: deps.logger,
    onMessage: payload => {
      const announcement = parseAnnouncement(payload);
      if (announcement !== null && announcement.kind !== 'session') hear(announcement.userId);
    },
    onReady: () => {
      markReady();
      gather(null);
    },
  });
  const lookTimer = setInterval(() => gather(null), lookEveryMs);

  let isSending = false;
  let isWoken = false;
  let sending: Promise<void> = Promise.resolve();
  let sendTimer: NodeJS.Timeout | undefined;
  const lane = async (): Promise<void> => {
    while (!isClosing && (await pusher.pushNext()));
  };
  const send = async (): Promise<void> => {
    let waitMs = lookEveryMs;
    isSending = true;
    try {
      do {
        isWoken = false;
        await Promise.all(Array.from({ length: PUSH_AT_ONCE }, lane));
      } while (isWoken && !isClosing);
      const dueAt = await pusher.nextDueAt();
      if (dueAt !== null)
        waitMs = Math.min(lookEveryMs, Math.max(WAIT_MIN_MS, dueAt.getTime() - deps.clock.now().getTime()));
    } catch (error) {
      deps.logger.warn({ err: error }, 'waiting pushes could not be looked at');
    } finally {
      isSending = false;
    }
    if (isClosing) return;
    sendTimer = setTimeout(wake, waitMs);
    sendTimer.unref();
  };
  const wake = (): void => {
    clearTimeout(sendTimer);
    if (isClosing) return;
    if (isSending) isWoken = true;
    else sending = send();
  };
  const stopListening = onPushWake(deps.db, wake);
  wake();

  return {
    ready,
    close: async () => {
      isClosing = true;
      clearInterval(lookTimer);
      clearTimeout(gatherTimer);
      clearTimeout(sendTimer);
      stopListening();
      await listener.close();
      await Promise.all([gathering, sending]);
      for (const sender of Object.values(senders)) sender.close();
    },
  };
};
