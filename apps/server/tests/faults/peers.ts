/**
 * Clients that mean no good, by the thousand, all on this machine: connections that dribble, that stay idle, that come and go.
 * Plain sockets, so that the client costs less than what it asks for.
 */
import { connect, type Socket } from 'node:net';

export type Crowd = {
  /** Connections that came about, open or not. */
  readonly reached: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  /** What the first bytes of answers were, with how often each came. */
  readonly answers: ReadonlyMap<string, number>;
  readonly close: () => void;
};

export type CrowdOptions = {
  readonly port: number;
  readonly count: number;
  /** Bytes that each sends at once. */
  readonly hello: (index: number) => string;
  /** Whether it waits to be spoken to first, as SMTP wants it. */
  readonly isPolite?: boolean;
  /** Bytes that each sends every `dribbleMs`. */
  readonly dribble?: string;
  readonly dribbleMs?: number;
  /** Where each comes from. */
  readonly from?: (index: number) => string;
};

/** Connections made at one time: more than the listening queue holds would time out. */
const AT_ONCE = 250;
const PAUSE_MS = 15;

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Opens a crowd of connections; resolves when each has tried. */
export async function openCrowd(options: CrowdOptions): Promise<Crowd> {
  const { port, count, hello, isPolite = false, dribble, dribbleMs = 5_000, from } = options;
  const sockets = new Set<Socket>();
  const answers = new Map<string, number>();
  let reached = 0;
  for (let first = 0; first < count; first += AT_ONCE) {
    await Promise.all(
      Array.from(
        { length: Math.min(AT_ONCE, count - first) },
        (_, offset) =>
          new Promise<void>(resolve => {
            const index = first + offset;
            const socket = connect({
              port,
              host: '127.0.0.1',
              ...(from === undefined ? {} : { localAddress: from(index) }),
            });
            socket.once('connect', () => {
              reached++;
              sockets.add(socket);
              if (!isPolite) socket.write(hello(index));
              resolve();
            });
            socket.once('data', (data: Buffer) => {
              const said = data.toString('latin1', 0, 12).split('\r')[0] ?? '';
              answers.set(said, (answers.get(said) ?? 0) + 1);
              if (isPolite) socket.write(hello(index));
            });
            socket.on('data', () => undefined);
            socket.on('error', () => resolve());
            socket.on('close', () => {
              sockets.delete(socket);
              resolve();
            });
          }),
      ),
    );
    await pause(PAUSE_MS);
  }
  const timer =
    dribble === undefined
      ? undefined
      : setInterval(() => {
          for (const socket of sockets) if (socket.writable) socket.write(dribble);
        }, dribbleMs);
  return {
    reached: () => reached,
    open: () => sockets.size,
    answers,
    close: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends bytes, waits a little for an answer, and leaves; what came. */
export const throwAt = (port: number, bytes: Buffer, waitMs: number): Promise<string> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const timer = setTimeout(() => socket.destroy(), waitMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', data => {
      if (text.length < 65_536) text += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
