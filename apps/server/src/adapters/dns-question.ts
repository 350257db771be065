/**
 * Queries DNS servers and accepts only records of the queried name: node's own resolver accepts
 * records of any name as the answer. Uses UDP, and TCP when the response does not fit; each query
 * has a fresh port, one server and a time limit. Rejects with the codes of node:dns.
 */
import { randomInt } from 'node:crypto';
import dgram from 'node:dgram';
import net from 'node:net';
import {
  ALIASES_MAX,
  type Answer,
  DnsFormatError,
  type DnsRecord,
  decodeAnswer,
  encodeQuestion,
  type Question,
  type RecordType,
} from './dns-message.ts';

/**
 * Why a query returned no records, as a code of node:dns: ENOTFOUND and ENODATA are answers, all
 * others are failures.
 */
export class DnsError extends Error {
  override readonly name = 'DnsError';
  readonly code: string;

  constructor(code: string) {
    super(`DNS: ${code}`);
    this.code = code;
  }
}

type Server = { readonly host: string; readonly port: number };

const DNS_PORT = 53;
const SERVFAIL = 2;
const RCODES: Readonly<Record<number, string>> = {
  1: 'EFORMERR',
  2: 'ESERVFAIL',
  3: 'ENOTFOUND',
  5: 'EREFUSED',
};

/** Parses a server in the notation of node:dns: `host`, `host:port`, `[ipv6]:port`. */
function readServer(text: string): Server {
  const [, host = text, port] = /^\[(.+)\](?::(\d+))?$/.exec(text) ?? /^([^:]+):(\d+)$/.exec(text) ?? [];
  return { host, port: port === undefined ? DNS_PORT : Number(port) };
}

type Trip = { readonly server: Server; readonly question: Question; readonly timeoutMs: number };

function encode(question: Question, isPlain: boolean): Buffer {
  const bytes = encodeQuestion(question, isPlain);
  if (bytes === null) throw new DnsError('EBADNAME');
  return bytes;
}

function overUdp({ server, question, timeoutMs }: Trip): Promise<Answer> {
  const bytes = encode(question, false);
  return new Promise((resolve, reject) => {
    const socket = dgram.createSocket(net.isIPv6(server.host) ? 'udp6' : 'udp4');
    let isOver = false;
    const end = (act: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.close();
      act();
    };
    const timer = setTimeout(() => end(() => reject(new DnsError('ETIMEOUT'))), timeoutMs);
    socket.on('error', () => end(() => reject(new DnsError('ECONNREFUSED'))));
    socket.on('message', message => {
      try {
        const answer = decodeAnswer(message, question);
        end(() => resolve(answer));
      } catch (error) {
        // Datagrams with another id are ignored; a malformed response from the server ends the
        // query.
        if (message.length >= 2 && message.readUInt16BE(0) === question.id) end(() => reject(error));
      }
    });
    // Connected, so that the kernel drops datagrams from other senders.
    socket.connect(server.port, server.host, () => socket.send(bytes));
  });
}

function overTcp({ server, question, timeoutMs }: Trip): Promise<Answer> {
  const bytes = encode(question, true);
  return new Promise((resolve, reject) => {
    const socket = net.connect(server);
    let received = Buffer.alloc(0);
    const end = (act: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      act();
    };
    const timer = setTimeout(() => end(() => reject(new DnsError('ETIMEOUT'))), timeoutMs);
    socket.on('error', () => end(() => reject(new DnsError('ECONNREFUSED'))));
    socket.on('close', () => end(() => reject(new DnsError('EBADRESP'))));
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const message = received.subarray(2, 2 + received.readUInt16BE(0));
      try {
        const answer = decodeAnswer(message, question);
        end(() => resolve(answer));
      } catch (error) {
        end(() => reject(error));
      }
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    socket.write(Buffer.concat([length, bytes]));
  });
}

async function askServer(server: Server, name: string, type: RecordType, timeoutMs: number) {
  const trip: Trip = { server, question: { id: randomInt(0x1_0000), name, type }, timeoutMs };
  const answer = await overUdp(trip);
  // A server without EDNS support reports a format error; TCP does not need EDNS.
  return answer.isTruncated || answer.rcode === 1 ? overTcp(trip) : answer;
}

export type QuestionOptions = {
  /** `host:port` each. */
  readonly servers: readonly string[];
  /** Timeout for one server and one try, in milliseconds. */
  readonly timeoutMs: number;
  readonly tries: number;
};

/**
 * Addresses of this machine. 127.0.0.11 is excluded: Docker answers there on behalf of its host's
 * resolver, which may be anywhere.
 */
const LOOPBACK = /^(?:(?!127\.0\.0\.11$)127(?:\.\d{1,3}){3}|::1|localhost)$/;

/**
 * Returns a response, marked as validated by DNSSEC only when a server on this machine says so: on
 * the path from any other server, the flag can be forged as easily as the rest (RFC 4035 §4.9.3).
 * When a local server reports a failure, such as invalid signatures, no remote server is queried,
 * because its answer would bypass the validation.
 */
async function askAll(options: QuestionOptions, name: string, type: RecordType): Promise<Answer> {
  let failure = 'ECONNREFUSED';
  let isDoubted = false;
  for (let attempt = 0; attempt < options.tries; attempt++)
    for (const server of options.servers.map(readServer)) {
      if (isDoubted && !LOOPBACK.test(server.host)) continue;
      try {
        const answer = await askServer(server, name, type, options.timeoutMs);
        if (answer.rcode === 0 || answer.rcode === 3)
          return { ...answer, isAuthentic: answer.isAuthentic && LOOPBACK.test(server.host) };
        failure = RCODES[answer.rcode] ?? 'EBADRESP';
        isDoubted ||= answer.rcode === SERVFAIL && LOOPBACK.test(server.host);
      } catch (error) {
        if (error instanceof DnsError && error.code === 'EBADNAME') throw error;
        if (!(error instanceof DnsError || error instanceof DnsFormatError)) throw error;
        failure = error instanceof DnsError ? error.code : 'EBADRESP';
      }
    }
  throw new DnsError(failure);
}

/**
 * The records of a name; `isSecure`: DNSSEC validated the records and every alias on the way to
 * them.
 */
export type DnsAnswer = { readonly records: readonly DnsRecord[]; readonly isSecure: boolean };

/** Returns the records of a name and type, following aliases. Throws DnsError. */
export async function askDns(options: QuestionOptions, name: string, type: RecordType): Promise<DnsAnswer> {
  let at = name;
  let isSecure = true;
  for (let steps = 0; steps <= ALIASES_MAX; steps++) {
    const answer = await askAll(options, at, type);
    isSecure &&= answer.isAuthentic;
    if (answer.records.length > 0) return { records: answer.records, isSecure };
    if (answer.alias === null) throw new DnsError(RCODES[answer.rcode] ?? 'ENODATA');
    at = answer.alias;
  }
  throw new DnsError('EBADRESP');
}
