/**
 * Thousands of hostile clients, all on this machine: connections that dribble, stay idle, or
 * connect and disconnect. Plain sockets, so that a client costs less than the work it causes.
 */
import { connect, type Socket } from 'node:net';

export type Crowd = {
  /** Connections that were established, open or not. */
  readonly reached: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  /** First bytes of the answers, with the number of occurrences. */
  readonly answers: ReadonlyMap<string, number>;
  readonly close: () => void;
};

export type CrowdOptions = {
  readonly port: number;
  readonly count: number;
  /** Bytes that each client sends immediately. */
  readonly hello: (index: number) => string;
  /** Whether the client waits for the server to speak first, as SMTP requires. */
  readonly isPolite?: boolean;
  /** Bytes that each client sends every `dribbleMs`. */
  readonly dribble?: string;
  readonly dribbleMs?: number;
  /** Source address of each client. */
  readonly from?: (index: number) => string;
};

/** Connections opened concurrently: more than the listen queue holds would time out. */
const AT_ONCE = 250;
const PAUSE_MS = 15;

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Opens a crowd of connections. Resolves when each has been attempted. */
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

/** Sends bytes, waits briefly for an answer, and disconnects. Returns the answer. */
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
