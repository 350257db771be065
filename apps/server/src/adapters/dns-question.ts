/**
 * Asks DNS servers for records and believes no more than was asked for: node's own resolver takes
 * records of any name for the answer. Over UDP, and TCP where the answer does not fit; from a fresh port each time, to
 * one server, with a time limit. Rejects with the codes of node:dns.
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

/** Why nothing came of a question, in node's words: ENOTFOUND and ENODATA are answers, the others are failures. */
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

/** A server as node:dns writes it: `host`, `host:port`, `[ipv6]:port`. */
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
        // Somebody else's datagram is passed over; the server's own nonsense ends the trip.
        if (message.length >= 2 && message.readUInt16BE(0) === question.id) end(() => reject(error));
      }
    });
    // Connected, so that the kernel drops what comes from elsewhere.
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
  // A server that knows nothing of EDNS says so; over TCP nobody needs it.
  return answer.isTruncated || answer.rcode === 1 ? overTcp(trip) : answer;
}

export type QuestionOptions = {
  /** `host:port` each. */
  readonly servers: readonly string[];
  /** For one server and one try, milliseconds. */
  readonly timeoutMs: number;
  readonly tries: number;
};

/** This very machine. Docker answers at 127.0.0.11 for whatever resolver its host has, wherever that is. */
const LOOPBACK = /^(?:(?!127\.0\.0\.11$)127(?:\.\d{1,3}){3}|::1|localhost)$/;

/**
 * An answer, which DNSSEC vouches for when its server says so and is on this very machine: on the way from any other the
 * word "checked" can be forged as easily as the rest (RFC 4035 §4.9.3). Where one on this machine says that it failed, as for
 * signatures that do not hold, nobody elsewhere is asked: their word would take the signatures' place.
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

/** What is said of a name; `isSecure`: DNSSEC vouches for the records, and for every alias on the way to them. */
export type DnsAnswer = { readonly records: readonly DnsRecord[]; readonly isSecure: boolean };

/** The records of a name and type, aliases followed. Throws DnsError. */
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
