/**
 * CHUNKING (RFC 3030): a message in pieces whose sizes are announced, BDAT instead of DATA. smtp-server has none; this adds it
 * to one of its connections. What is received goes the way of DATA's, so limits, checks and answers are the same.
 *
 * [Note: Octets of a chunk] A chunk ends after as many octets as were announced and at nothing else. They are taken off the
 * stream also when the chunk is refused, since they were on their way already and must not be read as commands. Where the
 * number itself cannot be read nobody knows where commands begin again: then the connection is closed.
 */
import { PassThrough } from 'node:stream';
import type { SMTPServer, SMTPServerDataStream } from 'smtp-server';
import { IDLE_TIMEOUT_MS } from './limits.ts';
import { refusal, SmtpRefusal } from './replies.ts';

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;
type Done = (error?: Error | null) => void;

/** A parser of smtp-server as far as it is needed here. */
type Parser = {
  _dataMode: boolean;
  _remainder: string;
  _feedDataStream: (piece: Buffer, next: Done) => void;
  _write: (piece: Buffer, encoding: 'buffer', next: Done) => void;
};

type Answer = { readonly error: Error | null; readonly text: string };

/** A message under way. */
type Transfer = {
  readonly stream: SMTPServerDataStream;
  /** What becomes of it; comes early when it cannot be taken. */
  readonly answer: Promise<Answer>;
  failure: Error | null;
};

const BDAT = /^BDAT (\d{1,15})( LAST)?[ \t]*$/i;
/** Commands that may stand between chunks, and those that end the transaction. */
const PASSING: ReadonlySet<string> = new Set(['BDAT', 'NOOP', 'VRFY']);
const ABANDONING: ReadonlySet<string> = new Set(['EHLO', 'HELO', 'QUIT', 'RSET', 'STARTTLS']);

const nameOf = (command: Buffer): string => (command.toString('latin1').split(' ', 1)[0] ?? '').toUpperCase();

/** Writes to a stream that may be gone, and goes on when there is room again. */
function writeTo(stream: SMTPServerDataStream, piece: Buffer, next: () => void): void {
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

/** Messages that came by BDAT. */
const counted = new WeakSet<SMTPServerDataStream>();

/** Whether a message's octets were counted, so that nothing in it can end it. */
export const isCounted = (stream: SMTPServerDataStream): boolean => counted.has(stream);

/** Lets a connection take BDAT, for messages of at most `maxBytes`. Call it before its first command. */
export function offerChunking(server: SMTPServer, connection: Connection, maxBytes: number): void {
  let transfer: Transfer | null = null;
  let idle: NodeJS.Timeout | undefined;

  const open = (): Transfer => {
    const stream = Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });
    // Whoever reads it hears of its errors; there is a moment after that.
    stream.on('error', () => undefined);
    connection._dataStream = stream;
    counted.add(stream);
    const answer = new Promise<Answer>(resolve =>
      server.onData(stream, connection.session, (error, text) =>
        resolve({ error: error ?? null, text: typeof text === 'string' ? text : '2.6.0 Message stored' }),
      ),
    );
    const opened: Transfer = { stream, answer, failure: null };
    void answer.then(({ error }) => {
      opened.failure ??= error;
    });
    return opened;
  };

  const fail = (failed: Transfer, reason: SmtpRefusal): void => {
    failed.failure ??= reason;
    failed.stream.destroy(reason);
  };

  const end = (): void => {
    transfer = null;
    connection._dataStream = false;
    connection._transactionCounter++;
    connection._unrecognizedCommands = 0;
    connection._resetSession();
  };

  const say = (error: Error): void =>
    connection.send(error instanceof SmtpRefusal ? error.responseCode : 450, error.message);

  /** Answers a chunk whose octets are all here, then lets the next command be read. */
  const finish = (sizeBytes: number, isLast: boolean, next: () => void): void => {
    const current = transfer;
    if (current === null) {
      connection.send(503, '5.5.1 BDAT without a recipient that was accepted');
      next();
      return;
    }
    if (current.failure !== null) {
      say(current.failure);
      if (isLast) end();
      next();
      return;
    }
    if (!isLast) {
      connection.send(250, `2.0.0 ${sizeBytes} octets received`);
      // smtp-server waits for ever for what it takes for our answer.
      idle = setTimeout(() => connection.send(421, '4.4.2 Timeout'), IDLE_TIMEOUT_MS).unref();
      next();
      return;
    }
    (current.stream as unknown as PassThrough).end();
    void current.answer.then(({ error, text }) => {
      if (error === null) connection.send(250, text);
      else say(error);
      end();
      next();
    });
  };

  /** Takes the octets of a chunk off the stream; `begun` is called once the parser is ready for them. */
  const take = (parser: Parser, sizeBytes: number, isLast: boolean, begun: () => void): void => {
    if (sizeBytes === 0) {
      finish(0, isLast, begun);
      return;
    }
    let leftBytes = sizeBytes;
    const feed = parser._feedDataStream;
    parser._dataMode = true;
    parser._feedDataStream = (piece, next) => {
      const own = piece.subarray(0, leftBytes);
      const rest = piece.subarray(own.length);
      leftBytes -= own.length;
      const goOn = (): void => {
        if (leftBytes > 0) {
          next();
          return;
        }
        parser._dataMode = false;
        parser._feedDataStream = feed;
        parser._remainder = '';
        finish(sizeBytes, isLast, () => parser._write(rest, 'buffer', next));
      };
      if (transfer === null || transfer.failure !== null) goOn();
      else writeTo(transfer.stream, own, goOn);
    };
    begun();
  };

  const onBdat = (command: Buffer, callback: () => void): void => {
    const parser = connection._parser as unknown as Parser | false;
    if (!parser) {
      callback();
      return;
    }
    const [isRead, size = '', last] = BDAT.exec(command.toString('latin1')) ?? [];
    if (isRead === undefined) {
      abandon();
      connection.send(501, '5.5.4 BDAT wants a number of octets');
      connection.close();
      callback();
      return;
    }
    if (transfer === null && connection.session.envelope.rcptTo.length > 0) transfer = open();
    if (transfer !== null && transfer.stream.byteLength + Number(size) > maxBytes)
      fail(transfer, refusal('tooLarge'));
    take(parser, Number(size), last !== undefined, callback);
  };

  const abandon = (): void => {
    if (transfer !== null) fail(transfer, refusal('abandoned'));
    transfer = null;
    connection._dataStream = false;
  };

  const onCommand = connection._onCommand.bind(connection);
  const onEhlo = connection.handler_EHLO.bind(connection);
  Object.assign(connection, {
    handler_BDAT: onBdat,
    handler_EHLO: (command: Buffer, callback: () => void): void => {
      const send = connection.send.bind(connection);
      connection.send = (code, text, context) =>
        send(code, code === 250 && Array.isArray(text) ? [...text, 'CHUNKING'] : text, context);
      try {
        onEhlo(command, callback);
      } finally {
        connection.send = send;
      }
    },
    _onCommand: (command: Buffer, callback?: () => void): void => {
      clearTimeout(idle);
      if (transfer !== null) {
        const name = nameOf(command);
        if (ABANDONING.has(name)) abandon();
        else if (!PASSING.has(name)) {
          connection.send(503, '5.5.1 A message is under way: end it with BDAT LAST, or RSET');
          setImmediate(() => callback?.());
          return;
        }
      }
      onCommand(command, callback);
    },
  });
}
