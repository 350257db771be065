// Starts the IMAP server that imap-session.ts describes, as a mailbox at another provider.
import { createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type ImapServer, type ImapServerOptions, readLines } from './imap-session.ts';

export type { ImapMail } from './imap-mailbox.ts';
export type { ImapAnswerer, ImapServer } from './imap-session.ts';

/** Starts a server on a free port of this machine. */
export async function startImapServer({ key, cert, kind = 'tls' }: ImapServerOptions): Promise<ImapServer> {
  const options = { key, cert, kind };
  const sockets = new Set<Socket>();
  let connections = 0;
  const greet = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const isIn = server.greeting.startsWith('* PREAUTH');
    readLines({ server, options, socket, isIn, mailbox: null, authTag: null });
    socket.write(`${server.greeting}\r\n`);
  };
  const listener: Server = kind === 'tls' ? createTlsServer({ key, cert }, greet) : createPlainServer(greet);
  listener.on('tlsClientError', () => undefined);
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const server: ImapServer = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mailboxes: [],
    user: 'ann@old.test',
    password: 'app password',
    capabilities: 'SPECIAL-USE AUTH=PLAIN',
    greeting: '* OK ready',
    answer: () => false,
    commands: [],
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise(resolve => listener.close(() => resolve()));
    },
  };
  return server;
}
