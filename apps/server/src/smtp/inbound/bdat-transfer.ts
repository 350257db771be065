/**
 * A message that arrives in chunks (BDAT): the stream that its octets are written to, and the
 * answer of `onData`.
 */
import { PassThrough } from 'node:stream';
import type { SMTPServer, SMTPServerDataStream } from 'smtp-server';
import type { SmtpRefusal } from './replies.ts';

export type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;

type Answer = { readonly error: Error | null; readonly text: string };

export type Transfer = {
  readonly stream: SMTPServerDataStream;
  /** Resolves early when the message cannot be accepted. */
  readonly answer: Promise<Answer>;
  failure: Error | null;
};

/** Messages received by BDAT. */
const counted = new WeakSet<SMTPServerDataStream>();

/** Whether a message came by BDAT: its octets are counted, so nothing in it can end it. */
export const isCounted = (stream: SMTPServerDataStream): boolean => counted.has(stream);

export function openTransfer(server: SMTPServer, connection: Connection): Transfer {
  const stream = Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });
  // An error may come before or after the reader listens for errors.
  stream.on('error', () => undefined);
  connection._dataStream = stream;
  counted.add(stream);
  const answer = new Promise<Answer>(resolve =>
    server.onData(stream, connection.session, (error, text) =>
      resolve({ error: error ?? null, text: typeof text === 'string' ? text : '2.6.0 Message stored' }),
    ),
  );
  const transfer: Transfer = { stream, answer, failure: null };
  void answer.then(({ error }) => {
    transfer.failure ??= error;
  });
  return transfer;
}

export function failTransfer(transfer: Transfer, reason: SmtpRefusal): void {
  transfer.failure ??= reason;
  transfer.stream.destroy(reason);
}

/** Writes octets and calls `next` when the stream accepts more, or is closed. */
export function writeOctets({ stream }: Transfer, piece: Buffer, next: () => void): void {
  if (piece.length === 0 || !stream.writable) {
    next();
    return;
  }
  stream.byteLength += piece.length;
  if ((stream as unknown as PassThrough).write(piece)) {
    next();
    return;
  }
  const goOn = (): void => {
    stream.off('drain', goOn).off('close', goOn);
    next();
  };
  stream.on('drain', goOn).on('close', goOn);
}

/** Ends the stream; resolves with the answer to the whole message. */
export function completeTransfer({ stream, answer }: Transfer): Promise<Answer> {
  (stream as unknown as PassThrough).end();
  return answer;
}
