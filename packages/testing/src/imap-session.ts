// A mailbox at another provider: the part of an IMAP server (RFC 3501) that a reading client needs
// (LOGIN, AUTHENTICATE PLAIN, LIST, STATUS, EXAMINE, UID SEARCH, UID FETCH), over TLS or STARTTLS.
// A test can override any command, for hostile responses.
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { fetchMails, type ImapMailbox, quote, searchMails, wordsOf } from './imap-mailbox.ts';

/**
 * Overrides commands; returns true for a command that it answered. `write` sends bytes unchanged.
 */
export type ImapAnswerer = (command: {
  readonly tag: string;
  readonly name: string;
  readonly rest: string;
  readonly socket: Socket;
  readonly write: (text: string | Buffer) => void;
}) => boolean;

export type ImapServer = {
  readonly port: number;
  mailboxes: ImapMailbox[];
  user: string;
  password: string;
  capabilities: string;
  greeting: string;
  answer: ImapAnswerer;
  /** Commands received, without tags; includes passwords. */
  readonly commands: string[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

export type ImapServerOptions = {
  readonly key: string;
  readonly cert: string;
  /**
   * `tls` from the first byte, or `plain`, which offers STARTTLS unless capabilities say otherwise.
   */
  readonly kind?: 'plain' | 'tls';
};

type Session = {
  readonly server: ImapServer;
  readonly options: ImapServerOptions;
  socket: Socket;
  isIn: boolean;
  mailbox: ImapMailbox | null;
  /** Tag of an AUTHENTICATE that waits for the credentials. */
  authTag: string | null;
};

/** Handles a command; returns the line that ends the response, without its tag. */
type Handler = (session: Session, rest: string, write: (line: string) => void) => string;

function findMailbox({ server }: Session, rest: string): ImapMailbox | undefined {
  const [name = ''] = wordsOf(rest);
  return server.mailboxes.find(mailbox => mailbox.name === name);
}

const list: Handler = ({ server }, rest, write) => {
  // The empty name requests the hierarchy delimiter.
  if (rest.endsWith('""')) write('* LIST (\\Noselect) "/" ""');
  else
    for (const { name, attributes = [] } of server.mailboxes)
      write(`* LIST (${attributes.join(' ')}) "/" ${quote(name)}`);
  return 'OK done';
};

const examine: Handler = (session, rest, write) => {
  const mailbox = findMailbox(session, rest);
  if (mailbox === undefined) return 'NO no such mailbox';
  session.mailbox = mailbox;
  write(`* ${mailbox.mails.length} EXISTS`);
  write(`* OK [UIDVALIDITY ${mailbox.uidValidity ?? 1}]`);
  write(`* OK [UIDNEXT ${(mailbox.mails.at(-1)?.uid ?? 0) + 1}]`);
  return 'OK [READ-ONLY] done';
};

const status: Handler = (session, rest, write) => {
  const mailbox = findMailbox(session, rest);
  write(`* STATUS ${quote(mailbox?.name ?? '')} (MESSAGES ${mailbox?.mails.length ?? 0})`);
  return 'OK done';
};

const uidSearch: Handler = ({ mailbox }, rest, write) => {
  write(`* SEARCH ${searchMails(mailbox?.mails ?? [], rest).join(' ')}`);
  return 'OK done';
};

const uidFetch: Handler = ({ mailbox }, rest, write) => {
  for (const line of fetchMails(mailbox?.mails ?? [], rest)) write(line);
  return 'OK done';
};

function capabilitiesOf({ options, server, socket }: Session): string {
  const offersTls = options.kind === 'plain' && !(socket instanceof TLSSocket);
  return `CAPABILITY IMAP4rev1 ${server.capabilities}${offersTls ? ' STARTTLS' : ''}`;
}

function signIn(session: Session, [user, password]: readonly (string | undefined)[]): string {
  session.isIn = user === session.server.user && password === session.server.password;
  return session.isIn ? 'OK done' : `NO [AUTHENTICATIONFAILED] wrong ${password ?? ''}`;
}

/** Handles the credentials of AUTHENTICATE PLAIN (RFC 4616). */
const signInPlain = (session: Session, line: string): string =>
  signIn(session, Buffer.from(line, 'base64').toString().split('\0').slice(1));

const ok: Handler = () => 'OK done';

/**
 * Commands that need no sign-in. AUTHENTICATE is handled apart, because its response has two steps.
 */
const OPEN_COMMANDS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [
    'CAPABILITY',
    (session, _rest, write) => {
      write(`* ${capabilitiesOf(session)}`);
      return 'OK done';
    },
  ],
  ['LOGIN', (session, rest) => signIn(session, wordsOf(rest))],
  [
    'LOGOUT',
    (_session, _rest, write) => {
      write('* BYE');
      return 'OK done';
    },
  ],
  ['STARTTLS', ok],
  ['NOOP', ok],
  ['ID', ok],
]);

const UID_COMMANDS: ReadonlyMap<string, Handler> = new Map([
  ['SEARCH', uidSearch],
  ['FETCH', uidFetch],
]);

const unknown: Handler = () => 'BAD unknown';

/** Commands of a signed-in session. */
const COMMANDS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['LIST', list],
  ['LSUB', list],
  ['STATUS', status],
  ['EXAMINE', examine],
  ['SELECT', examine],
  [
    'UID',
    (session, rest, write) => (UID_COMMANDS.get(rest.split(' ')[0] ?? '') ?? unknown)(session, rest, write),
  ],
]);

function reply(session: Session, verb: string, rest: string, write: (line: string) => void): string {
  const open = OPEN_COMMANDS.get(verb);
  if (open !== undefined) return open(session, rest, write);
  if (!session.isIn) return 'NO not signed in';
  return (COMMANDS.get(verb) ?? unknown)(session, rest, write);
}

function handleLine(session: Session, line: string): void {
  const { server, socket } = session;
  if (session.authTag !== null) {
    socket.write(`${session.authTag} ${signInPlain(session, line)}\r\n`);
    session.authTag = null;
    return;
  }
  const [tag = '', name = '', ...parts] = line.split(' ');
  const [verb, rest] = [name.toUpperCase(), parts.join(' ')];
  const send = (text: string | Buffer) => void socket.write(text);
  server.commands.push(`${verb} ${rest}`.trim());
  if (server.answer({ tag, name: verb, rest, socket, write: send })) return;
  if (verb === 'AUTHENTICATE') {
    session.authTag = tag;
    send('+ \r\n');
    return;
  }
  send(`${tag} ${reply(session, verb, rest, text => send(`${text}\r\n`))}\r\n`);
  if (verb === 'STARTTLS') startTls(session);
  if (verb === 'LOGOUT') socket.end();
}

/** Answers the commands of a connection. */
export function readLines(session: Session): void {
  let received = '';
  session.socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
      const line = received.slice(0, end);
      received = received.slice(end + 2);
      handleLine(session, line);
    }
  });
  session.socket.on('error', () => undefined);
}

function startTls(session: Session): void {
  const { key, cert } = session.options;
  const plain = session.socket;
  plain.removeAllListeners('data');
  session.socket = new TLSSocket(plain, {
    isServer: true,
    secureContext: createSecureContext({ key, cert }),
  });
  readLines(session);
}
