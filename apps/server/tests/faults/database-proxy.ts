/**
 * A fault-injecting proxy: a TCP port in front of PostgreSQL that can cut connections, refuse them,
 * stay silent, or redirect to another server.
 */
import net from 'node:net';

export type DatabaseProxy = {
  readonly port: number;
  /** Ends every current connection. */
  readonly cut: () => void;
  /** Ends every connection and accepts no new one until `open`. */
  readonly refuse: () => Promise<void>;
  /**
   * Accepts connections and bytes but forwards nothing until `open`, which then ends the muted
   * connections.
   */
  readonly mute: () => void;
  readonly open: () => Promise<void>;
  /** Redirects new connections to the PostgreSQL at another socket. */
  readonly leadTo: (socketPath: string) => void;
  readonly close: () => Promise<void>;
};

/** Starts the proxy on a free port of the loopback address, connected to a Unix socket. */
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
