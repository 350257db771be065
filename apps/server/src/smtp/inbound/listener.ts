/**
 * smtp-server with CHUNKING and three corrections. Its enhanced status codes (RFC 2034), one per
 * basic code, would duplicate those that our own texts begin with. It waits 100 ms before greeting
 * a new client, to detect early talkers. That is long for a sender with one message, and early
 * talkers talk at once. Finally, until smtp-server attaches its own error listener, a socket error
 * would end the process.
 */
import type { Socket } from 'node:net';
import { INBOUND_MAX_BYTES } from '@keyfold/contract/limits';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { offerChunking } from './chunking.ts';
import { isRefusalText } from './replies.ts';

/** Time before the greeting during which a client must not send anything. */
const GREETING_DELAY_MS = 5;

/** Enhanced status code (RFC 3463 §2) at the beginning of a reply's text. */
const OWN_CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

const hasOwnCode = (text: unknown): boolean =>
  Array.isArray(text) ? text.every(hasOwnCode) : typeof text === 'string' && OWN_CODE.test(text);

/** First reply code that is permanent (RFC 5321 §4.2.1). */
const PERMANENT = 500;
/**
 * Maximum number of protocol errors reported per connection, so that a misbehaving client cannot
 * fill the log.
 */
const REPORTED_MAX = 5;

export class Listener extends SMTPServer {
  /**
   * Called for permanent replies that smtp-server or CHUNKING decides: unknown commands and invalid
   * arguments.
   */
  onProtocolError: (session: SMTPServerSession, code: number, text: string) => void = () => {};

  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    super.connect(socket, options);
    const connection = [...this.connections].at(-1);
    // A client rejected at the limit has already been removed from the set.
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

  /** Must be called once, before listening. */
  guardSockets(): void {
    this.server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  }
}

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;
type Parsed = false | { address: string };
type Internals = { _parseAddressCommand: (name: string, command: Buffer | string) => Parsed };

/**
 * A command with a plain local part. The mask replaces the local part with one that every parser
 * accepts.
 */
const COMMAND = /^([^<]*<)([a-z0-9.!#$%&'*+/=?^_`{|}~-]+)(@[^<>@\s]+>.*)$/is;

/**
 * Makes a connection accept addresses with leading, trailing or consecutive dots
 * (`a..b@docomo.example`). RFC 5321 does not allow such local parts, but mobile carriers issued
 * them and they are still in use. Must be called before the connection's first command.
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
