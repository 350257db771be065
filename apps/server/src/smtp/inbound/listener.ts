/**
 * smtp-server with CHUNKING, and with three things put right for us. Its enhanced status codes (RFC 2034) are one for each basic
 * code, and would stand beside those that our own texts begin with. It lets a new client wait 100 ms to find out who talks before being
 * greeted, which is a long time for a sender with one message; those who do, do so at once. And a socket's errors would
 * end the process until smtp-server listens for them itself.
 */
import type { Socket } from 'node:net';
import { INBOUND_MAX_BYTES } from '@keyfold/contract/limits';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { offerChunking } from './chunking.ts';
import { isRefusalText } from './replies.ts';

/** How long a client has to hold its tongue. */
const GREETING_DELAY_MS = 5;

/** An enhanced status code (RFC 3463 §2) at the beginning of a reply's text. */
const OWN_CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

const hasOwnCode = (text: unknown): boolean =>
  Array.isArray(text) ? text.every(hasOwnCode) : typeof text === 'string' && OWN_CODE.test(text);

/** RFC 5321 §4.2.1: from here on a reply is for good. */
const PERMANENT = 500;
/** Protocol errors of one connection that are reported: a client that sends nothing else must not fill a log. */
const REPORTED_MAX = 5;

export class Listener extends SMTPServer {
  /** Called for permanent replies that smtp-server, or CHUNKING, decides: wrong commands and wrong arguments. */
  onProtocolError: (session: SMTPServerSession, code: number, text: string) => void = () => {};

  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    super.connect(socket, options);
    const connection = [...this.connections].at(-1);
    // A client sent away at the limit is gone from the set again.
    if (connection === undefined || connection._socket !== socket) return;
    const send = connection.send.bind(connection);
    let reported = 0;
    connection.send = (code, text, context) => {
      if (code >= PERMANENT && !isRefusalText(text) && ++reported <= REPORTED_MAX)
        this.onProtocolError(connection.session, code, String(text));
      send(code, text, hasOwnCode(text) ? false : context);
    };
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

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;
type Parsed = false | { address: string };
type Internals = { _parseAddressCommand: (name: string, command: Buffer | string) => Parsed };

/** A command with a plain local part; masked, it has a local part that no parser minds. */
const COMMAND = /^([^<]*<)([a-z0-9.!#$%&'*+/=?^_`{|}~-]+)(@[^<>@\s]+>.*)$/is;

/**
 * Lets a connection take addresses whose dots lead, end or follow one another (`a..b@docomo.example`). RFC 5321 has no such local
 * parts, but mobile carriers gave them out and their owners write mail. Call it before the connection's first command.
 */
function takeDottedSenders(connection: Connection): void {
  const internals = connection as unknown as Internals;
  const parse = internals._parseAddressCommand.bind(connection);
  internals._parseAddressCommand = (name, command) => {
    const parsed = parse(name, command);
    if (parsed !== false) return parsed;
    const [, head = '', local = '', tail = ''] = COMMAND.exec(command.toString()) ?? [];
    if (!/[^.]/.test(local)) return false;
    const masked = parse(name, `${head}${'x'.repeat(local.length)}${tail}`);
    if (masked === false) return false;
    masked.address = local + masked.address.slice(local.length);
    return masked;
  };
}
