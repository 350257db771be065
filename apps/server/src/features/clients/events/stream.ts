/**
 * One open event stream. Queues at most one event per kind, however often it occurs. Ends when its
 * client disconnects or on request.
 */
import type { EventName } from '@keyfold/contract';
import type { ServerEvent } from '../../../context/call-context.ts';

export type EventStream = {
  /** Queues an event. A queued event of the same kind takes the newer version. */
  readonly push: (event: EventName, version: number) => void;
  /** Ends the stream, optionally with an event that gives the reason. */
  readonly end: (last?: EventName) => void;
  readonly events: AsyncIterable<ServerEvent>;
};

/** Creates a stream that ends with the signal. Calls `onEnd` once. */
export function createStream(signal: AbortSignal, onEnd: () => void): EventStream {
  const waiting = new Map<EventName, number>();
  let wake: () => void = () => undefined;
  let isEnded = false;
  let lastWord: EventName | undefined;
  const end = (last?: EventName): void => {
    if (isEnded) return;
    isEnded = true;
    lastWord = last;
    signal.removeEventListener('abort', leave);
    onEnd();
    wake();
  };
  const leave = (): void => end();
  signal.addEventListener('abort', leave);
  if (signal.aborted) end();
  const iterate = async function* (): AsyncGenerator<ServerEvent> {
    try {
      while (!isEnded) {
        for (const [event, version] of [...waiting]) {
          waiting.delete(event);
          yield { event, data: { version } };
        }
        if (waiting.size > 0 || isEnded) continue;
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      if (lastWord !== undefined) yield { event: lastWord, data: { version: 0 } };
    } finally {
      end();
    }
  };
  return {
    push: (event, version) => {
      waiting.set(event, version);
      wake();
    },
    end,
    events: iterate(),
  };
}
