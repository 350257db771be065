/**
 * smtp-server with CHUNKING, and with two things put right for us. It lets a new client wait 100 ms to find out who talks before being
 * greeted, which is a long time for a sender with one message; those who do, do so at once. And a socket's errors would
 * end the process until smtp-server listens for them itself.
 */
import type { Socket } from 'node:net';
import { INBOUND_MAX_BYTES } from '@keyfold/contract/limits';
import { SMTPServer } from 'smtp-server';
import { offerChunking } from './chunking.ts';

/** How long a client has to hold its tongue. */
const GREETING_DELAY_MS = 5;

export class Listener extends SMTPServer {
  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    super.connect(socket, options);
    const connection = [...this.connections].at(-1);
    // A client sent away at the limit is gone from the set again.
    if (connection === undefined || connection._socket !== socket) return;
    offerChunking(this, connection, INBOUND_MAX_BYTES);
    const greet = connection.connectionReady.bind(connection);
    let isGreeted = false;
    connection.connectionReady = next => {
      if (isGreeted) return;
      isGreeted = true;
      greet(next);
    };
    setTimeout(() => connection.connectionReady(), GREETING_DELAY_MS).unref();
  }

  /** Call once, before listening. */
  guardSockets(): void {
    this.server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  }
}
