/**
 * Where to listen when nobody says where: at all addresses of the machine.
 */
import { createServer } from 'node:net';

const canListen = (host: string): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port: 0 }, () => server.close(() => resolve(true)));
  });

/** All addresses of both families; those of IPv4 on a machine without IPv6. `canListenAt` is for tests. */
export const findAnyHost = async (canListenAt = canListen): Promise<'0.0.0.0' | '::'> =>
  (await canListenAt('::')) ? '::' : '0.0.0.0';
