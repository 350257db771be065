/**
 * One open stream of events: a few kinds wait to be sent, each once, however many times it happened. It ends when its
 * client goes, or when it is told to.
 */
import type { EventName } from '@keyfold/contract';
import type { ServerEvent } from '../../../context/call-context.ts';

export type EventStream = {
  /** Lets an event be sent; one of its kind that still waits takes the newer version. */
  readonly push: (event: EventName, version: number) => void;
  /** Ends the stream, with an event that says why where there is one. */
  readonly end: (last?: EventName) => void;
  readonly events: AsyncIterable<ServerEvent>;
};

/** A stream that ends with the signal; `onEnd` is called once. */
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
