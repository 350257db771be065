/**
 * One SMTP session over an open connection: greeting, STARTTLS, optional login, one message, QUIT.
 * Reports how and at what stage it ended; outcome.ts derives the outcome for each recipient.
 */
import type { Socket } from 'node:net';
import net from 'node:net';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import SMTPConnection, { type SentMessageInfo, type SMTPError } from 'nodemailer/lib/smtp-connection';
import { findLack, needsOf } from './extensions.ts';

export type SessionOptions = {
  readonly socket: Socket;
  /** Name or address of the server, used for TLS. */
  readonly host: string;
  /** Name used in EHLO. */
  readonly ownName: string;
  readonly isSecure: boolean;
  readonly mustUseTls: boolean;
  /**
   * Whether the connection is acceptable, given its TLS socket or null. Called before the server
   * receives anything about the message.
   */
  readonly isGoodEnough: (socket: TLSSocket | null) => boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
};

export type SessionMail = {
  readonly sender: string;
  readonly recipients: readonly string[];
  /** Parts of the message, in order. */
  readonly parts: readonly Buffer[];
  /**
   * Called before the message begins and before it ends. If it returns false, the connection is cut
   * before the end of the message.
   */
  readonly isStillOurs?: () => Promise<boolean>;
};

/**
 * How a session failed. If it failed before the transaction, the server rejected nothing about this
 * message, so another host may be tried.
 */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  readonly stage: 'opening' | 'transaction';
  readonly smtp: SMTPError;

  constructor(stage: 'opening' | 'transaction', smtp: SMTPError) {
    super('The SMTP session failed', { cause: smtp });
    this.stage = stage;
    this.smtp = smtp;
  }
}

const GREETING_TIMEOUT_MS = 60_000;
/** RFC 5321 §4.5.3.2 specifies up to ten minutes, for the reply to the final dot. */
const IDLE_TIMEOUT_MS = 600_000;
/** Maximum session time, against a server that sends its replies one byte at a time. */
const SESSION_MAX_MS = 1_800_000;
/** Time to wait for the reply to QUIT. */
const GOODBYE_TIMEOUT_MS = 5_000;
const CHUNK_BYTES = 64 * 1024;
/** Code of a failure in which the server was reached but TLS does not meet the requirements. */
export const POLICY_CODE = 'EPOLICY';

/**
 * Yields the message in chunks. Fails once the message is no longer ours; a message without its end
 * does not count as sent (RFC 5321 §4.1.1.4).
 */
async function* chunksOf({ parts, isStillOurs }: SessionMail): AsyncGenerator<Buffer> {
  const check = async (): Promise<void> => {
    if ((await isStillOurs?.()) === false) throw new Error('Another worker has taken over the message');
  };
  await check();
  for (const part of parts)
    for (let at = 0; at < part.length; at += CHUNK_BYTES) yield part.subarray(at, at + CHUNK_BYTES);
  await check();
}

/** Internals of nodemailer: the extensions offered in EHLO, and how a command is sent. */
type Internals = {
  readonly _supportedExtensions: readonly string[];
  _sendCommand: (line: string, shown?: string) => void;
};

/**
 * Adds SMTPUTF8 also when only the header requires it: nodemailer checks only addresses (RFC 6531
 * §3.4).
 */
function announceInternational(connection: Internals): void {
  const say = connection._sendCommand.bind(connection);
  connection._sendCommand = (line, shown) =>
    say(/^MAIL FROM:/.test(line) && !/ SMTPUTF8(?: |$)/.test(line) ? `${line} SMTPUTF8` : line, shown);
}

/**
 * Runs the session. Rejects with SessionError, or with the signal's reason when the signal aborts
 * it.
 */
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
      // The certificate is checked below: its errors are recorded even where they do not matter
      // (RFC 7435).
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
    const deadline = setTimeout(() => fail(new Error('The SMTP session timed out')), SESSION_MAX_MS);
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
        fail(Object.assign(new Error('The mail server lacks a required extension'), { code: lack }));
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
          if (error || info === undefined) return fail(error ?? new Error('The mail server did not respond'));
          finish();
          resolve(info);
          connection.quit();
          setTimeout(() => options.socket.destroy(), GOODBYE_TIMEOUT_MS).unref();
        },
      );
    };
    // Errors after the answer, such as a connection closed without QUIT, no longer matter.
    connection.on('error', fail);
    connection.connect(error => {
      if (error) return fail(error);
      const { _socket: socket } = connection;
      let isGoodEnough = false;
      try {
        isGoodEnough = options.isGoodEnough(socket instanceof TLSSocket ? socket : null);
      } catch {
        // If the comparison throws because of a malformed certificate or name, neither may be
        // trusted.
      }
      if (!isGoodEnough)
        return fail(
          Object.assign(new Error('The certificate does not meet the policy of the domain'), {
            code: POLICY_CODE,
          }),
        );
      if (options.login === null || !connection.allowsAuth) return send();
      connection.login({ ...options.login }, refused => (refused ? fail(refused) : send()));
    });
  });
