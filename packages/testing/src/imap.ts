// A mailbox at another provider: an IMAP server of RFC 3501 as far as a client reads with it (LOGIN, AUTHENTICATE PLAIN, LIST,
// STATUS, EXAMINE, UID SEARCH, UID FETCH), over TLS or STARTTLS. A test may take any command over, to be as hostile as it likes.
import { createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls';

export type ImapMail = {
  readonly uid: number;
  readonly raw: string;
  readonly flags?: readonly string[];
  /** INTERNALDATE as the protocol writes it: `05-Mar-2019 10:20:30 +0000`. */
  readonly date?: string;
  readonly labels?: readonly string[];
  /** What is said of its size; its size when absent. */
  readonly saidBytes?: number;
};

export type ImapMailbox = {
  /** As on the wire: modified UTF-7. */
  readonly name: string;
  /** Attributes of LIST: `\Sent`. */
  readonly attributes?: readonly string[];
  uidValidity?: number;
  mails: readonly ImapMail[];
};

/** A command that a test answers itself; true when it did. `write` sends bytes as they are. */
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
  /** Commands as they came, without tags; passwords among them. */
  readonly commands: string[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

export type ImapServerOptions = {
  readonly key: string;
  readonly cert: string;
  /** `tls` from the first byte, or `plain`, which offers STARTTLS unless capabilities say otherwise. */
  readonly kind?: 'plain' | 'tls';
};

type Session = { socket: Socket; isIn: boolean; mailbox: ImapMailbox | null; authTag: string | null };

const unquote = (text: string): string =>
  text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

const wordsOf = (text: string): string[] => (text.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []).map(unquote);

/** Whether a number is in a set such as `1:4,9,12:*`; the last number stands for `*`. */
const isIn = (set: string, uid: number, last: number): boolean =>
  set.split(',').some(part => {
    const [from = 0, to = from] = part.split(':').map(one => (one === '*' ? last : Number(one)));
    return uid >= Math.min(from, to) && uid <= Math.max(from, to);
  });

const dayOf = (date: string): number => Date.parse(`${date.slice(0, 11).replaceAll('-', ' ')} UTC`);

const USUAL_DATE = '05-Mar-2019 10:20:30 +0000';

/** Starts a server on a free port of this machine. */
export async function startImapServer({ key, cert, kind = 'tls' }: ImapServerOptions): Promise<ImapServer> {
  const sockets = new Set<Socket>();
  let connections = 0;

  const list = (rest: string, write: (line: string) => void): void => {
    // The empty name asks for what stands between folders.
    if (rest.endsWith('""')) {
      write('* LIST (\\Noselect) "/" ""');
      return;
    }
    for (const { name, attributes = [] } of server.mailboxes)
      write(`* LIST (${attributes.join(' ')}) "/" ${quote(name)}`);
  };

  const find = (name: string): ImapMailbox | undefined => server.mailboxes.find(one => one.name === name);

  const fetchLine = (mail: ImapMail, sequence: number, items: string): string => {
    const { uid, raw, flags = [], date = USUAL_DATE, labels, saidBytes } = mail;
    const bytes = Buffer.byteLength(raw);
    const parts = [`UID ${uid}`, `FLAGS (${flags.join(' ')})`];
    if (items.includes('INTERNALDATE')) parts.push(`INTERNALDATE "${date}"`);
    if (items.includes('RFC822.SIZE')) parts.push(`RFC822.SIZE ${saidBytes ?? bytes}`);
    if (items.includes('X-GM-LABELS')) parts.push(`X-GM-LABELS (${(labels ?? []).map(quote).join(' ')})`);
    if (items.includes('BODY.PEEK[]')) parts.push(`BODY[] {${bytes}}\r\n${raw}`);
    return `* ${sequence} FETCH (${parts.join(' ')})`;
  };

  const uidCommand = (session: Session, rest: string, write: (line: string) => void): boolean => {
    const [name = '', ...more] = rest.split(' ');
    const mails = session.mailbox?.mails ?? [];
    const last = mails.at(-1)?.uid ?? 0;
    if (name === 'SEARCH') {
      const set = /UID (\S+)/.exec(rest)?.[1] ?? '1:*';
      const since = /SINCE (\S+)/.exec(rest)?.[1];
      const found = mails.filter(
        ({ uid, date = USUAL_DATE }) =>
          isIn(set, uid, last) && (since === undefined || dayOf(date) >= dayOf(since)),
      );
      write(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}`);
      return true;
    }
    if (name !== 'FETCH') return false;
    const set = more[0] ?? '';
    for (const [index, mail] of mails.entries())
      if (isIn(set, mail.uid, last)) write(fetchLine(mail, index + 1, more.slice(1).join(' ')));
    return true;
  };

  const capabilitiesOf = ({ socket }: Session): string => {
    const offersTls = kind === 'plain' && !(socket instanceof TLSSocket);
    return `CAPABILITY IMAP4rev1 ${server.capabilities}${offersTls ? ' STARTTLS' : ''}`;
  };

  const signIn = (session: Session, [user, password]: readonly (string | undefined)[]): string => {
    session.isIn = user === server.user && password === server.password;
    return session.isIn ? 'OK done' : `NO [AUTHENTICATIONFAILED] wrong ${password ?? ''}`;
  };

  /** The answer to AUTHENTICATE PLAIN (RFC 4616). */
  const signInPlain = (session: Session, line: string): string =>
    signIn(session, Buffer.from(line, 'base64').toString().split('\0').slice(1));

  const examine = (session: Session, rest: string, write: (line: string) => void): string => {
    const mailbox = find(wordsOf(rest)[0] ?? '');
    if (mailbox === undefined) return 'NO no such mailbox';
    session.mailbox = mailbox;
    write(`* ${mailbox.mails.length} EXISTS`);
    write(`* OK [UIDVALIDITY ${mailbox.uidValidity ?? 1}]`);
    write(`* OK [UIDNEXT ${(mailbox.mails.at(-1)?.uid ?? 0) + 1}]`);
    return 'OK [READ-ONLY] done';
  };

  const status = (rest: string, write: (line: string) => void): string => {
    const mailbox = find(wordsOf(rest)[0] ?? '');
    write(`* STATUS ${quote(mailbox?.name ?? '')} (MESSAGES ${mailbox?.mails.length ?? 0})`);
    return 'OK done';
  };

  /** Does a command; gives the line that ends it, without its tag. */
  const reply = (session: Session, verb: string, rest: string, write: (line: string) => void): string => {
    if (verb === 'CAPABILITY') write(`* ${capabilitiesOf(session)}`);
    else if (verb === 'LOGIN') return signIn(session, wordsOf(rest));
    else if (verb === 'LOGOUT') write('* BYE');
    else if (verb === 'STARTTLS' || verb === 'NOOP' || verb === 'ID') return 'OK done';
    else if (!session.isIn) return 'NO not signed in';
    else if (verb === 'LIST' || verb === 'LSUB') list(rest, write);
    else if (verb === 'STATUS') return status(rest, write);
    else if (verb === 'EXAMINE' || verb === 'SELECT') return examine(session, rest, write);
    else if (verb !== 'UID' || !uidCommand(session, rest, write)) return 'BAD unknown';
    return 'OK done';
  };

  const answer = (session: Session, line: string): void => {
    if (session.authTag !== null) {
      session.socket.write(`${session.authTag} ${signInPlain(session, line)}\r\n`);
      session.authTag = null;
      return;
    }
    const [tag = '', name = '', ...parts] = line.split(' ');
    const [verb, rest] = [name.toUpperCase(), parts.join(' ')];
    const { socket } = session;
    const send = (text: string | Buffer) => void socket.write(text);
    server.commands.push(`${verb} ${rest}`.trim());
    if (server.answer({ tag, name: verb, rest, socket, write: send })) return;
    if (verb === 'AUTHENTICATE') {
      session.authTag = tag;
      send('+ \r\n');
      return;
    }
    send(`${tag} ${reply(session, verb, rest, text => send(`${text}\r\n`))}\r\n`);
    if (verb === 'STARTTLS') secure(session);
    if (verb === 'LOGOUT') socket.end();
  };

  const listen = (session: Session): void => {
    let received = '';
    session.socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end);
        received = received.slice(end + 2);
        answer(session, line);
      }
    });
    session.socket.on('error', () => undefined);
  };

  const secure = (session: Session): void => {
    const plain = session.socket;
    plain.removeAllListeners('data');
    session.socket = new TLSSocket(plain, {
      isServer: true,
      secureContext: createSecureContext({ key, cert }),
    });
    listen(session);
  };

  const greet = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    listen({ socket, isIn: server.greeting.startsWith('* PREAUTH'), mailbox: null, authTag: null });
    socket.write(`${server.greeting}\r\n`);
  };

  const listener: Server = kind === 'tls' ? createTlsServer({ key, cert }, greet) : createPlainServer(greet);
  listener.on('tlsClientError', () => undefined);
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const server: ImapServer = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mailboxes: [],
    user: 'ann@old.test',
    password: 'app password',
    capabilities: 'SPECIAL-USE AUTH=PLAIN',
    greeting: '* OK ready',
    answer: () => false,
    commands: [],
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise(resolve => listener.close(() => resolve()));
    },
  };
  return server;
}
