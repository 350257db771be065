/**
 * One open stream of events: a few kinds wait to be sent, each once, however many times it happened. It ends when its
 * client goes, or when it is told to.
 */
import type { EventName } from '@keyfold/contract';
import type { ServerEvent } from '../../http/context.ts';

export type EventStream = {
  /** Lets an event be sent; one of its kind that still waits takes the newer version. */
  readonly push: (event: EventName, version: number) => void;
  readonly end: () => void;
  readonly events: AsyncIterable<ServerEvent>;
};

/** A stream that ends with the signal; `onEnd` is called once. */
export const createStream = (signal: AbortSignal, onEnd: () => void): EventStream => {
  const waiting = new Map<EventName, number>();
  let wake: () => void = () => undefined;
  let isEnded = false;
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    signal.removeEventListener('abort', end);
    onEnd();
    wake();
  };
  signal.addEventListener('abort', end);
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
};
