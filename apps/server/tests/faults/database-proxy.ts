/**
 * The way to a database as a test spoils it: a TCP port before PostgreSQL that can cut what is connected, refuse, say
 * nothing, or lead to another server.
 */
import net from 'node:net';

export type DatabaseProxy = {
  readonly port: number;
  /** Ends every connection at this moment. */
  readonly cut: () => void;
  /** Ends every connection and takes no new one, until `open`. */
  readonly refuse: () => Promise<void>;
  /** Takes connections and bytes and hands nothing on, until `open`; those that were mute are ended then. */
  readonly mute: () => void;
  readonly open: () => Promise<void>;
  /** Leads to the PostgreSQL at another socket from now on. */
  readonly leadTo: (socketPath: string) => void;
  readonly close: () => Promise<void>;
};

/** Starts it on a free port of the loopback address, leading to a Unix socket. */
export async function startDatabaseProxy(firstTarget: string): Promise<DatabaseProxy> {
  let target = firstTarget;
  let isMute = false;
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket): net.Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = net.createServer(near => {
    keep(near);
    if (isMute) {
      near.pause();
      return;
    }
    const far = keep(net.connect(target));
    near.pipe(far);
    far.pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const refuse = async (): Promise<void> => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    cut();
    await closed;
  };
  return {
    port,
    cut,
    refuse,
    mute: () => {
      isMute = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    open: async () => {
      if (isMute) {
        isMute = false;
        cut();
      }
      if (!server.listening) await listen(port);
    },
    leadTo: socketPath => {
      target = socketPath;
    },
    close: async () => {
      if (server.listening) await refuse();
    },
  };
}
