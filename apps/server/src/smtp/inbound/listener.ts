/**
 * smtp-server with CHUNKING, and with three things put right for us. Its enhanced status codes (RFC 2034) are one for each basic
 * code, and would stand beside those that our own texts begin with. It lets a new client wait 100 ms to find out who talks before being
 * greeted, which is a long time for a sender with one message; those who do, do so at once. And a socket's errors would
 * end the process until smtp-server listens for them itself.
 */
import type { Socket } from 'node:net';
import { INBOUND_MAX_BYTES } from '@keyfold/contract/limits';
import { SMTPServer } from 'smtp-server';
import { offerChunking } from './chunking.ts';
import { takeDottedSenders } from './dotted-senders.ts';

/** How long a client has to hold its tongue. */
const GREETING_DELAY_MS = 5;

/** An enhanced status code (RFC 3463 §2) at the beginning of a reply's text. */
const OWN_CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

const hasOwnCode = (text: unknown): boolean =>
  Array.isArray(text) ? text.every(hasOwnCode) : typeof text === 'string' && OWN_CODE.test(text);

export class Listener extends SMTPServer {
  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    super.connect(socket, options);
    const connection = [...this.connections].at(-1);
    // A client sent away at the limit is gone from the set again.
    if (connection === undefined || connection._socket !== socket) return;
    const send = connection.send.bind(connection);
    connection.send = (code, text, context) => send(code, text, hasOwnCode(text) ? false : context);
    offerChunking(this, connection, INBOUND_MAX_BYTES);
    takeDottedSenders(connection);
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
