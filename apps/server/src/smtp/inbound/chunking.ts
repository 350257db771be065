/**
 * CHUNKING (RFC 3030): BDAT transfers a message in chunks of announced sizes, instead of DATA.
 * smtp-server does not support it; this adds it to a connection. The message then takes the same
 * path as with DATA: same limits, checks and replies.
 *
 * [Note: Octets of a chunk] Only the announced number of octets ends a chunk. The octets of a
 * refused chunk are read and discarded too: the client has already sent them, and they must not be
 * read as commands. If the number itself is invalid, the start of the next command is unknown, so
 * the connection is closed.
 */
import type { SMTPServer } from 'smtp-server';
import {
  type Connection,
  completeTransfer,
  failTransfer,
  openTransfer,
  type Transfer,
  writeOctets,
} from './bdat-transfer.ts';
import { IDLE_TIMEOUT_MS } from './limits.ts';
import { refusal, SmtpRefusal } from './replies.ts';

type Done = (error?: Error | null) => void;

/** The internals of smtp-server's parser that BDAT needs. */
type Parser = {
  _dataMode: boolean;
  _remainder: string;
  _feedDataStream: (piece: Buffer, next: Done) => void;
  _write: (piece: Buffer, encoding: 'buffer', next: Done) => void;
};

/** BDAT on one connection. */
type Chunking = {
  readonly server: SMTPServer;
  readonly connection: Connection;
  readonly maxBytes: number;
  transfer: Transfer | null;
  idle: NodeJS.Timeout | undefined;
};

type Chunk = { readonly sizeBytes: number; readonly isLast: boolean };

const BDAT = /^BDAT (\d{1,15})( LAST)?[ \t]*$/i;
/** Commands that may come between chunks, and commands that end the transaction. */
const PASSING: ReadonlySet<string> = new Set(['BDAT', 'NOOP', 'VRFY']);
const ABANDONING: ReadonlySet<string> = new Set(['EHLO', 'HELO', 'QUIT', 'RSET', 'STARTTLS']);

const nameOf = (command: Buffer): string => (command.toString('latin1').split(' ', 1)[0] ?? '').toUpperCase();

function endTransaction(chunking: Chunking): void {
  const { connection } = chunking;
  chunking.transfer = null;
  connection._dataStream = false;
  connection._transactionCounter++;
  connection._unrecognizedCommands = 0;
  connection._resetSession();
}

function abandonTransfer(chunking: Chunking): void {
  if (chunking.transfer !== null) failTransfer(chunking.transfer, refusal('abandoned'));
  chunking.transfer = null;
  chunking.connection._dataStream = false;
}

const sendError = (connection: Connection, error: Error): void =>
  connection.send(error instanceof SmtpRefusal ? error.responseCode : 450, error.message);

/** Replies to a chunk whose octets have all arrived, then lets the next command be read. */
function finishChunk(chunking: Chunking, { sizeBytes, isLast }: Chunk, next: () => void): void {
  const { connection, transfer } = chunking;
  if (transfer === null) {
    connection.send(503, '5.5.1 BDAT without an accepted recipient');
    next();
    return;
  }
  if (transfer.failure !== null) {
    sendError(connection, transfer.failure);
    if (isLast) endTransaction(chunking);
    next();
    return;
  }
  if (!isLast) {
    connection.send(250, `2.0.0 ${sizeBytes} octets received`);
    // smtp-server has no timeout here: it takes the message for one that is being stored.
    chunking.idle = setTimeout(() => connection.send(421, '4.4.2 Timeout'), IDLE_TIMEOUT_MS).unref();
    next();
    return;
  }
  void completeTransfer(transfer).then(({ error, text }) => {
    if (error === null) connection.send(250, text);
    else sendError(connection, error);
    endTransaction(chunking);
    next();
  });
}

/**
 * Diverts the octets of a chunk from the parser; calls `begun` once the parser is ready for them.
 */
function receiveChunk(chunking: Chunking, parser: Parser, chunk: Chunk, begun: () => void): void {
  if (chunk.sizeBytes === 0) {
    finishChunk(chunking, chunk, begun);
    return;
  }
  let leftBytes = chunk.sizeBytes;
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
      finishChunk(chunking, chunk, () => parser._write(rest, 'buffer', next));
    };
    const { transfer } = chunking;
    if (transfer === null || transfer.failure !== null) goOn();
    else writeOctets(transfer, own, goOn);
  };
  begun();
}

function handleBdat(chunking: Chunking, command: Buffer, callback: () => void): void {
  const { connection, maxBytes, server } = chunking;
  const parser = connection._parser as unknown as Parser | false;
  if (!parser) {
    callback();
    return;
  }
  const [isRead, size = '', last] = BDAT.exec(command.toString('latin1')) ?? [];
  if (isRead === undefined) {
    abandonTransfer(chunking);
    connection.send(501, '5.5.4 BDAT requires a number of octets');
    connection.close();
    callback();
    return;
  }
  if (chunking.transfer === null && connection.session.envelope.rcptTo.length > 0)
    chunking.transfer = openTransfer(server, connection);
  const { transfer } = chunking;
  if (transfer !== null && transfer.stream.byteLength + Number(size) > maxBytes)
    failTransfer(transfer, refusal('tooLarge'));
  receiveChunk(chunking, parser, { sizeBytes: Number(size), isLast: last !== undefined }, callback);
}

/**
 * Adds BDAT to a connection, for messages of at most `maxBytes`. Call it before the connection's
 * first command.
 */
export function offerChunking(server: SMTPServer, connection: Connection, maxBytes: number): void {
  const chunking: Chunking = { server, connection, maxBytes, transfer: null, idle: undefined };
  const onCommand = connection._onCommand.bind(connection);
  const onEhlo = connection.handler_EHLO.bind(connection);
  Object.assign(connection, {
    handler_BDAT: (command: Buffer, callback: () => void): void => handleBdat(chunking, command, callback),
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
      clearTimeout(chunking.idle);
      if (chunking.transfer !== null) {
        const name = nameOf(command);
        if (ABANDONING.has(name)) abandonTransfer(chunking);
        else if (!PASSING.has(name)) {
          connection.send(503, '5.5.1 A message is in progress: end it with BDAT LAST or RSET');
          setImmediate(() => callback?.());
          return;
        }
      }
      onCommand(command, callback);
    },
  });
}
