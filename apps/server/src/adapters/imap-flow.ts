/**
 * Reads mailboxes with imapflow (ADR 37). Users choose the server, so it is treated as hostile: the
 * connection goes to the address that was checked, TLS is required before the password is sent, and
 * every response is bounded in time and bytes while it arrives. Compression is off, because a small
 * response must not expand to a large one, and so is logging.
 */
import { isIP } from 'node:net';
import {
  IMAP_FOLDER_NAME_MAX_CHARACTERS,
  IMAP_FOLDERS_MAX,
  INBOUND_MAX_BYTES,
} from '@keyfold/contract/limits';
import type { FetchMessageObject, ImapFlow, ListResponse } from 'imapflow';
import {
  IMAP_ANSWER_MAX_BYTES,
  IMAP_COMMAND_MS,
  IMAP_CONNECT_MS,
  IMAP_COUNTING_MS,
  IMAP_FETCH_MS,
  IMAP_LINE_MAX_BYTES,
} from '../base/import-limits.ts';
import type { Config } from '../config/config.ts';
import type { Dns } from './dns.ts';
import {
  type ImapFailure,
  type ImapFolder,
  type ImapHead,
  type ImapLogin,
  ImapRefusal,
  type ImapSession,
  type ImapUse,
} from './imap.ts';
import type { OutboundConnector } from './outbound-http.ts';
import { HostRefusal, lookUpHost } from './public-host.ts';

export type ImapNet = {
  readonly dns: Dns;
  readonly outboundConnector: OutboundConnector;
  readonly config: Pick<Config, 'imapPorts' | 'isPrivateImapAllowed'>;
};

const HOST_FAILURES = {
  absent: 'unknown_host',
  private: 'address_refused',
  unanswered: 'unreachable',
} as const satisfies Record<HostRefusal['why'], ImapFailure>;

/** Interval for checking how much has been received, in milliseconds. */
const METER_MS = 50;
const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;
const NO_TLS = /^(?:EPROTO|ERR_SSL_)/;
const NONSENSE =
  /^(?:ParserError|LineTooLarge|LiteralTooLarge|ResponseTooLarge|MAX_IMAP|InvalidResponse|UnexpectedTag|ResponseProcessing|STARTTLS_INJECTION)/;
/**
 * A login that is refused with one of these codes may succeed later (RFC 5530; the last is
 * Gmail's).
 */
const LATER: ReadonlySet<string> = new Set(['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG', 'THROTTLED']);

type FlowError = {
  readonly code?: unknown;
  readonly authenticationFailed?: unknown;
  readonly tlsFailed?: unknown;
  readonly responseStatus?: unknown;
  readonly serverResponseCode?: unknown;
};

function codeOf(error: FlowError): ImapFailure {
  const code = String(error.code ?? '');
  if (CERTIFICATE.test(code)) return 'certificate';
  if (NONSENSE.test(code)) return 'not_understood';
  if (error.responseStatus === 'NO' || error.responseStatus === 'BAD') {
    if (error.authenticationFailed !== true) return 'not_understood';
    return LATER.has(String(error.serverResponseCode)) ? 'unreachable' : 'login_refused';
  }
  if (NO_TLS.test(code) || (error.tlsFailed === true && code === '')) return 'no_tls';
  return 'unreachable';
}

const refusalOf = (error: unknown): ImapRefusal =>
  error instanceof ImapRefusal ? error : new ImapRefusal(codeOf(Object(error) as FlowError));

const USES: ReadonlyMap<string, ImapUse> = new Map<string, ImapUse>([
  ['\\Inbox', 'inbox'],
  ['\\Sent', 'sent'],
  ['\\Drafts', 'drafts'],
  ['\\Junk', 'junk'],
  ['\\Trash', 'trash'],
  ['\\Archive', 'archive'],
  ['\\All', 'all'],
]);

/** Folders that hold no messages, or show messages of other folders. */
const NO_FOLDERS = ['\\Noselect', '\\NonExistent', '\\Flagged', '\\Important'];

const isWanted = ({ path, flags, specialUse }: ListResponse): boolean =>
  path !== '' &&
  path.length <= IMAP_FOLDER_NAME_MAX_CHARACTERS &&
  /^\P{Cc}+$/u.test(path) &&
  specialUse !== '\\Flagged' &&
  !NO_FOLDERS.some(flag => flags.has(flag));

/** Top-level folders that prefix every folder name on some servers. */
const ROOTS: ReadonlySet<string> = new Set(['INBOX', '[Gmail]', '[Google Mail]']);

function toFolder(entry: ListResponse): Omit<ImapFolder, 'count'> {
  const names = [...entry.parent, entry.name].filter(name => name !== '');
  const path = names.length > 1 && ROOTS.has(names[0] ?? '') ? names.slice(1) : names;
  return {
    name: entry.path,
    path,
    use: USES.get(entry.specialUse ?? '') ?? null,
  };
}

function toHead(message: FetchMessageObject): ImapHead {
  const { uid, size = 0, flags = new Set<string>(), internalDate, labels = new Set<string>() } = message;
  const receivedAt = internalDate === undefined ? null : new Date(internalDate);
  const names = new Set([...flags].map(flag => flag.toLowerCase()));
  return {
    uid,
    sizeBytes: size,
    receivedAt: receivedAt === null || Number.isNaN(receivedAt.getTime()) ? null : receivedAt,
    isSeen: names.has('\\seen'),
    isFlagged: names.has('\\flagged'),
    isDraft: names.has('\\draft'),
    isDeleted: names.has('\\deleted'),
    labels: [...labels].map(String),
  };
}

/** Formats sorted numbers as an IMAP sequence set: `1:4,9`. */
function rangeOf(uids: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const uid of uids) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === uid - 1) last[1] = uid;
    else runs.push([uid, uid]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}:${to}`)).join(',');
}

type Bounds = { readonly timeoutMs: number; readonly maxBytes: number };

const COMMAND: Bounds = { timeoutMs: IMAP_COMMAND_MS, maxBytes: IMAP_ANSWER_MAX_BYTES };
const FETCH: Bounds = { timeoutMs: IMAP_FETCH_MS, maxBytes: 2 * INBOUND_MAX_BYTES };

/**
 * Runs an operation on the connection, and closes the connection when the operation takes too long,
 * receives too much, or is aborted.
 */
async function bounded<T>(
  client: ImapFlow,
  signal: AbortSignal,
  { timeoutMs, maxBytes }: Bounds,
  work: () => Promise<T>,
): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (code: ImapFailure) => {
    reject(new ImapRefusal(code));
    client.close();
  };
  const begunAt = client.stats().received;
  const timer = setTimeout(() => end('unreachable'), timeoutMs);
  const meter = setInterval(() => {
    if (client.stats().received - begunAt > maxBytes) end('not_understood');
  }, METER_MS);
  const stop = () => end('unreachable');
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    return await Promise.race([ended, work()]);
  } catch (error) {
    client.close();
    throw refusalOf(error);
  } finally {
    ended.catch(() => undefined);
    clearTimeout(timer);
    clearInterval(meter);
    signal.removeEventListener('abort', stop);
  }
}

async function createClient(
  { outboundConnector }: ImapNet,
  login: ImapLogin,
  address: string,
): Promise<ImapFlow> {
  // Loaded with the first import, because it would slow down each start.
  const { ImapFlow } = await import('imapflow');
  const { host, port, ca } = outboundConnector(address, login.port);
  const isTls = login.security === 'tls';
  const client = new ImapFlow({
    host,
    port,
    secure: isTls,
    doSTARTTLS: !isTls,
    ...(isIP(login.host) === 0 ? { servername: login.host } : {}),
    auth: { user: login.user, pass: login.password },
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    clientInfo: { name: 'Keyfold', version: false, vendor: false, 'support-url': false, date: false },
    logger: false,
    disableCompression: true,
    disableBinary: true,
    disableAutoIdle: true,
    connectionTimeout: IMAP_CONNECT_MS,
    greetingTimeout: IMAP_CONNECT_MS,
    socketTimeout: IMAP_FETCH_MS,
    maxLineLength: IMAP_LINE_MAX_BYTES,
    maxLiteralSize: INBOUND_MAX_BYTES,
    maxResponseSize: INBOUND_MAX_BYTES + IMAP_LINE_MAX_BYTES,
  });
  // Errors are reported by the pending call.
  client.on('error', () => undefined);
  return client;
}

/** Connects to one address and signs in. */
async function signIn(
  net: ImapNet,
  login: ImapLogin,
  address: string,
  signal: AbortSignal,
): Promise<ImapFlow> {
  const client = await createClient(net, login, address);
  await bounded(client, signal, COMMAND, () => client.connect());
  // A greeting that says that the client is already signed in leaves no opportunity for STARTTLS.
  if (!client.secureConnection) {
    client.close();
    throw new ImapRefusal('no_tls');
  }
  return client;
}

async function connect(net: ImapNet, login: ImapLogin, signal: AbortSignal): Promise<ImapFlow> {
  if (!net.config.imapPorts.includes(login.port)) throw new ImapRefusal('port_refused');
  const addresses = await lookUpHost(net.dns, login.host, net.config.isPrivateImapAllowed).catch(
    (error: unknown) => {
      throw new ImapRefusal(error instanceof HostRefusal ? HOST_FAILURES[error.why] : 'unreachable');
    },
  );
  for (const [index, address] of addresses.entries()) {
    try {
      return await signIn(net, login, address, signal);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code !== 'unreachable' || index + 1 >= addresses.length || signal.aborted) throw refusal;
    }
  }
  throw new ImapRefusal('unreachable');
}

/**
 * Signs in to a mailbox. Rejects with ImapRefusal. The connection closes when the signal aborts.
 */
export async function openImap(net: ImapNet, login: ImapLogin, signal: AbortSignal): Promise<ImapSession> {
  const client = await connect(net, login, signal);
  const ask = <T>(work: () => Promise<T>, bounds = COMMAND) => bounded(client, signal, bounds, work);
  const collect = async <T>(
    uids: readonly number[],
    query: Parameters<ImapFlow['fetch']>[1],
    read: (message: FetchMessageObject) => T | null,
  ): Promise<Map<number, T>> => {
    const asked = new Set(uids);
    const found = new Map<number, T>();
    for await (const message of client.fetch(rangeOf(uids), query, { uid: true })) {
      // Messages that were not requested or were already received are ignored.
      const value = asked.delete(message.uid) ? read(message) : null;
      if (value !== null) found.set(message.uid, value);
    }
    return found;
  };

  /**
   * Returns the number of messages of each folder by name: in one request where the server supports
   * it, otherwise folder by folder until a time limit.
   */
  const countAll = async (names: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const counts = new Map<string, number>();
    const put = (name: string, count: number | undefined) => {
      if (count !== undefined && Number.isSafeInteger(count) && count >= 0) counts.set(name, count);
    };
    if (client.capabilities.has('LIST-STATUS')) {
      const entries = await ask(() => client.list({ statusQuery: { messages: true } }));
      for (const { path, status } of entries) put(path, status?.messages);
      return counts;
    }
    const begunAt = performance.now();
    for (const name of names) {
      if (performance.now() - begunAt > IMAP_COUNTING_MS) break;
      const status = await ask(() => client.status(name, { messages: true }));
      put(name, status ? status.messages : undefined);
    }
    return counts;
  };

  return {
    listFolders: async () => {
      const entries = (await ask(() => client.list())).filter(isWanted);
      if (entries.length > IMAP_FOLDERS_MAX) {
        client.close();
        throw new ImapRefusal('too_large');
      }
      const counts = await countAll(entries.map(({ path }) => path));
      return entries.map(entry => ({ ...toFolder(entry), count: counts.get(entry.path) ?? null }));
    },
    openFolder: name =>
      ask(async () => {
        try {
          const { uidValidity } = await client.mailboxOpen(name, { readOnly: true });
          return { uidValidity: String(uidValidity) };
        } catch (error) {
          if ((error as FlowError).responseStatus === 'NO') return null;
          throw error;
        }
      }),
    findUids: (after, since) =>
      ask(async () => {
        const found = await client.search(
          { uid: `${after + 1}:*`, ...(since === null ? {} : { since: new Date(`${since}T00:00:00Z`) }) },
          { uid: true },
        );
        if (!Array.isArray(found)) throw new ImapRefusal('not_understood');
        // A range always includes the last message, even when its UID is lower.
        return [...new Set(found)].filter(uid => uid > after).sort((a, b) => a - b);
      }),
    measure: uids =>
      ask(() =>
        collect(uids, { uid: true, flags: true, internalDate: true, size: true, labels: true }, toHead),
      ),
    fetch: uids =>
      ask(() => {
        let sizeBytes = 0;
        return collect(uids, { uid: true, source: true }, ({ source }) => {
          sizeBytes += source?.length ?? 0;
          // The messages are larger than the server announced.
          if (sizeBytes > INBOUND_MAX_BYTES) throw new ImapRefusal('not_understood');
          return source === undefined || source.length === 0 ? null : Uint8Array.from(source);
        });
      }, FETCH),
    close: () => client.close(),
  };
}
