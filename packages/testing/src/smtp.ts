/**
 * SMTP peers for tests: a client that sends exactly the bytes a test gives it, and a server that
 * keeps what it receives. Neither depends on the product.
 */
import { connect, type Socket } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { SMTPServer } from 'smtp-server';

const REPLY_TIMEOUT_MS = 20_000;

export type SmtpClient = {
  /** Sends raw bytes. */
  readonly send: (bytes: string | Uint8Array) => void;
  /**
   * Returns the next complete reply, lines joined by LF. Rejects on a timeout or when the
   * connection ends.
   */
  readonly reply: () => Promise<string>;
  /** Sends a line and returns its reply. */
  readonly command: (line: string) => Promise<string>;
  /** Upgrades to TLS after the reply to STARTTLS. */
  readonly secure: () => Promise<TLSSocket>;
  /** Resolves when the server has closed the connection. */
  readonly ended: Promise<void>;
  /** Received data that is not yet part of a returned reply. */
  readonly pending: () => string;
  readonly destroy: () => void;
  readonly socket: () => Socket;
};

/**
 * Connects, optionally from a local address, over IPv6 if it is one. The greeting is the first
 * reply.
 */
export async function connectSmtp(port: number, localAddress?: string): Promise<SmtpClient> {
  let socket: Socket = connect({
    port,
    host: localAddress?.includes(':') ? '::1' : '127.0.0.1',
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  let received = '';
  let isOver = false;
  let wake: () => void = () => undefined;
  let markEnd: () => void = () => undefined;
  const ended = new Promise<void>(resolve => {
    markEnd = resolve;
  });
  const listen = (to: Socket) => {
    to.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      wake();
    });
    to.on('error', () => undefined);
    to.on('close', () => {
      isOver = true;
      wake();
      markEnd();
    });
  };
  listen(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });

  const takeReply = (): string | null => {
    const match = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r?\n/.exec(received);
    if (match === null) return null;
    received = received.slice(match[0].length);
    return match[0].trimEnd().replaceAll('\r', '');
  };
  const reply = async (): Promise<string> => {
    const until = Date.now() + REPLY_TIMEOUT_MS;
    for (;;) {
      const found = takeReply();
      if (found !== null) return found;
      if (isOver) throw new Error('The connection ended before a reply');
      if (Date.now() > until) throw new Error('No reply came in time');
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, 1000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const send = (bytes: string | Uint8Array) => {
    socket.write(bytes);
  };
  return {
    send,
    reply,
    command: line => {
      send(`${line}\r\n`);
      return reply();
    },
    secure: async () => {
      const plain = socket;
      plain.removeAllListeners('data');
      const secured = tlsConnect({ socket: plain, rejectUnauthorized: false, servername: 'mail.test' });
      await new Promise<void>((resolve, reject) => {
        secured.once('secureConnect', resolve);
        secured.once('error', reject);
      });
      socket = secured;
      received = '';
      listen(secured);
      return secured;
    },
    ended,
    pending: () => received,
    destroy: () => {
      socket.destroy();
    },
    socket: () => socket,
  };
}

/** Encodes a message for DATA: doubles dots at line starts and adds the end of data. */
export function asData(raw: Uint8Array): Buffer {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
  const stuffed = text.replace(/(^|\r\n)\./g, '$1..');
  return Buffer.from(`${stuffed}${stuffed === '' || stuffed.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1');
}

/** Greets, sends one message to its recipients, and returns the final reply. */
export async function deliver(
  client: SmtpClient,
  mail: { readonly from: string; readonly to: readonly string[]; readonly raw: string | Uint8Array },
): Promise<string> {
  const raw = typeof mail.raw === 'string' ? Buffer.from(mail.raw) : mail.raw;
  const steps = [`MAIL FROM:<${mail.from}>`, ...mail.to.map(address => `RCPT TO:<${address}>`), 'DATA'];
  for (const step of steps) {
    const answer = await client.command(step);
    if (!/^[23]/.test(answer)) {
      await client.command('RSET');
      return answer;
    }
  }
  client.send(asData(raw));
  return client.reply();
}

export type SinkMessage = {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
  readonly isSecure: boolean;
};

export type SmtpSink = {
  readonly port: number;
  readonly messages: readonly SinkMessage[];
  /** Discards the received messages. */
  readonly forget: () => void;
  /**
   * Decides about recipients and messages; null accepts, otherwise the SMTP code and text of the
   * refusal.
   */
  refuseRecipient: (address: string) => readonly [number, string] | null;
  refuseMessage: (message: SinkMessage) => readonly [number, string] | null;
  readonly close: () => Promise<void>;
};

/** Starts a server that accepts and keeps every message. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const messages: SinkMessage[] = [];
  const asError = (refused: readonly [number, string] | null) =>
    refused === null ? null : Object.assign(new Error(refused[1]), { responseCode: refused[0] });
  const server = new SMTPServer({
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo: ({ address }, _session, callback) => callback(asError(sink.refuseRecipient(address))),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const message = {
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
          isSecure: session.secure,
        };
        const refused = asError(sink.refuseMessage(message));
        if (refused === null) messages.push(message);
        callback(refused);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const sink: SmtpSink = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    messages,
    forget: () => {
      messages.length = 0;
    },
    refuseRecipient: () => null,
    refuseMessage: () => null,
    close: () => new Promise(resolve => server.close(resolve)),
  };
  return sink;
}
