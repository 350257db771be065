/**
 * One SMTP session over an open connection: greeting, STARTTLS, login if any, one message, QUIT. Says how it ended and at
 * what stage; what that means for each recipient is outcome.ts.
 */
import type { Socket } from 'node:net';
import net from 'node:net';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import SMTPConnection, { type SentMessageInfo, type SMTPError } from 'nodemailer/lib/smtp-connection';
import { findLack, needsOf } from './extensions.ts';

export type SessionOptions = {
  readonly socket: Socket;
  /** Name or address of the server, for TLS. */
  readonly host: string;
  /** Name by which we greet. */
  readonly ownName: string;
  readonly isSecure: boolean;
  readonly mustUseTls: boolean;
  /** Whether the connection, as TLS or null, is good enough; asked before the server hears of any message. */
  readonly isGoodEnough: (socket: TLSSocket | null) => boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
};

export type SessionMail = {
  readonly sender: string;
  readonly recipients: readonly string[];
  /** Parts of the message, one after the other. */
  readonly parts: readonly Buffer[];
  /** Asked before the message begins and before it ends: when not, the connection is cut before its end. */
  readonly isStillOurs?: () => Promise<boolean>;
};

/** How a session failed. Before the transaction nothing was said about this message, so another host may be tried. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  readonly stage: 'opening' | 'transaction';
  readonly smtp: SMTPError;

  constructor(stage: 'opening' | 'transaction', smtp: SMTPError) {
    super('An SMTP session failed', { cause: smtp });
    this.stage = stage;
    this.smtp = smtp;
  }
}

const GREETING_TIMEOUT_MS = 60_000;
/** RFC 5321 §4.5.3.2 names up to ten minutes, for the reply to the final dot. */
const IDLE_TIMEOUT_MS = 600_000;
/** A server that drips replies for ever is left after this time. */
const SESSION_MAX_MS = 1_800_000;
/** A server that does not answer QUIT is left. */
const GOODBYE_TIMEOUT_MS = 5_000;
const CHUNK_BYTES = 64 * 1024;
/** Of a failure in which the server was reached and TLS is not as it must be. */
export const POLICY_CODE = 'EPOLICY';

/** The message, piece by piece; fails where it is not ours any more, and a message without its end is none (RFC 5321 §4.1.1.4). */
async function* chunksOf({ parts, isStillOurs }: SessionMail): AsyncGenerator<Buffer> {
  const check = async (): Promise<void> => {
    if ((await isStillOurs?.()) === false) throw new Error('The message is not ours any more');
  };
  await check();
  for (const part of parts)
    for (let at = 0; at < part.length; at += CHUNK_BYTES) yield part.subarray(at, at + CHUNK_BYTES);
  await check();
}

/** What nodemailer keeps for itself: the offers of EHLO, and how a command is sent. */
type Internals = {
  readonly _supportedExtensions: readonly string[];
  _sendCommand: (line: string, shown?: string) => void;
};

/** Says SMTPUTF8 also where the header alone needs it: nodemailer looks at addresses (RFC 6531 §3.4). */
function announceInternational(connection: Internals): void {
  const say = connection._sendCommand.bind(connection);
  connection._sendCommand = (line, shown) =>
    say(/^MAIL FROM:/.test(line) && !/ SMTPUTF8(?: |$)/.test(line) ? `${line} SMTPUTF8` : line, shown);
}

/** Runs the session. Rejects with SessionError, or with the signal's reason when that ends it. */
export const runSession = (
  options: SessionOptions,
  mail: SessionMail,
  signal: AbortSignal,
): Promise<SentMessageInfo> =>
  new Promise((resolve, reject) => {
    const connection = new SMTPConnection({
      connection: options.socket,
      host: options.host,
      secure: options.isSecure,
      name: options.ownName,
      requireTLS: options.mustUseTls,
      greetingTimeout: GREETING_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      // The certificate is looked at below: what is wrong with it is wanted even where it does not matter (RFC 7435).
      tls: {
        rejectUnauthorized: false,
        ...(net.isIP(options.host) === 0 ? { servername: options.host } : {}),
      },
    });
    let stage: SessionError['stage'] = 'opening';
    const finish = (): void => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: SMTPError): void => {
      finish();
      connection.close();
      options.socket.destroy();
      reject(new SessionError(stage, error));
    };
    const onAbort = (): void => {
      finish();
      connection.close();
      options.socket.destroy();
      reject(signal.reason);
    };
    const deadline = setTimeout(() => fail(new Error('The session took too long')), SESSION_MAX_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
      return;
    }
    const send = (): void => {
      const needs = needsOf(mail.parts.at(-1) ?? Buffer.alloc(0), [mail.sender, ...mail.recipients]);
      const internals = connection as unknown as Internals;
      const lack = findLack(needs, internals._supportedExtensions);
      if (lack !== null) {
        fail(Object.assign(new Error('The server offers too little'), { code: lack }));
        return;
      }
      stage = 'transaction';
      if (needs.isInternational) announceInternational(internals);
      connection.send(
        {
          from: mail.sender,
          to: [...mail.recipients],
          size: mail.parts.reduce((sum, part) => sum + part.length, 0),
          use8BitMime: needs.hasEightBits,
        },
        Readable.from(chunksOf(mail), { objectMode: false }),
        (error, info) => {
          if (error || info === undefined) return fail(error ?? new Error('No answer'));
          finish();
          resolve(info);
          connection.quit();
          setTimeout(() => options.socket.destroy(), GOODBYE_TIMEOUT_MS).unref();
        },
      );
    };
    // Errors after the answer, such as a connection cut instead of a goodbye, change nothing any more.
    connection.on('error', fail);
    connection.connect(error => {
      if (error) return fail(error);
      const { _socket: socket } = connection;
      let isGoodEnough = false;
      try {
        isGoodEnough = options.isGoodEnough(socket instanceof TLSSocket ? socket : null);
      } catch {
        // What a stranger's certificate or name makes a comparison fail with is no reason to trust either.
      }
      if (!isGoodEnough)
        return fail(Object.assign(new Error('The certificate is not the one'), { code: POLICY_CODE }));
      if (options.login === null || !connection.allowsAuth) return send();
      connection.login({ ...options.login }, refused => (refused ? fail(refused) : send()));
    });
  });
