/**
 * Notifies devices: checks mailboxes when their changes are announced, and periodically all changed
 * ones for changes whose announcement was missed; sends queued pushes immediately or when they are
 * due. features/clients/notifications defines the content.
 */

import type { PushKind } from '../adapters/push.ts';
import type { Deps } from '../context/deps.ts';
import { startListener } from '../db/listener.ts';
import type { Connection } from '../db/pool.ts';
import { CHANNEL, parseAnnouncement } from '../features/clients/events/index.ts';
import {
  createGatherer,
  createQueues,
  createSenders,
  onPushSignal,
  publishPushGauges,
} from '../features/clients/notifications/index.ts';
import { startWorkerPool } from './push-worker-pool.ts';

export type PushOptions = {
  /**
   * How long announcements are collected: a message that is read immediately needs no notification.
   */
  readonly gatherMs?: number;
  /** Interval at which all changed mailboxes, and the queue, are checked without a signal. */
  readonly lookEveryMs?: number;
};

const GATHER_MS = 1_000;
const LOOK_EVERY_MS = 30_000;

export type RunningPush = {
  /** Resolves once announcements are received. */
  readonly ready: Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts both; `close` waits for work in progress. */
export function startPush(
  deps: Deps,
  connection: Connection,
  { gatherMs = GATHER_MS, lookEveryMs = LOOK_EVERY_MS }: PushOptions = {},
): RunningPush {
  const senders = createSenders(deps);
  const gatherer = createGatherer(deps, Object.keys(senders) as PushKind[]);
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>();
  let isClosing = false;
  let heard = new Set<string>();
  let gathering: Promise<unknown> = Promise.resolve();
  let gatherTimer: NodeJS.Timeout | undefined;
  publishPushGauges(deps);

  const gather = (userIds: readonly string[] | null): void => {
    gathering = gathering
      .then(() => (isClosing ? 0 : gatherer.look(userIds)))
      .catch(error => deps.logger.debug({ err: error }, 'could not check changed mailboxes'));
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

  const queues = createQueues(deps, senders).map(queue => startWorkerPool(deps, queue, lookEveryMs));
  const wake = (): void => {
    for (const queue of queues) queue.wake();
  };
  const stopListening = onPushSignal(deps.db, wake);
  wake();

  return {
    ready,
    close: async () => {
      isClosing = true;
      clearInterval(lookTimer);
      clearTimeout(gatherTimer);
      stopListening();
      await listener.close();
      await Promise.all([gathering, ...queues.map(queue => queue.close())]);
      for (const sender of Object.values(senders)) sender.close();
    },
  };
}
