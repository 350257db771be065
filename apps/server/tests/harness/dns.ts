/**
 * A real DNS server on the loopback address for tests. It answers over UDP and TCP from a zone that
 * a test may change at any time, and can be set to fail for some names.
 */
import type { AddressInfo } from 'node:net';
import dns2 from 'dns2';

const { Packet } = dns2;

export type ZoneRecords = {
  A?: string[];
  AAAA?: string[];
  /** Priority and host. */
  MX?: [number, string][];
  TXT?: string[];
  CNAME?: string;
  PTR?: string[];
  /** Usage, selector, matching type, association data in hexadecimal. */
  TLSA?: [number, number, number, string][];
};
export type Zone = Record<string, ZoneRecords>;

export type TestDns = {
  /** host:port, as DNS_SERVERS expects it. */
  readonly server: string;
  /** Names in lowercase. Tests may change it at any time. */
  readonly zone: Zone;
  /** Names for which the server answers SERVFAIL. */
  readonly failing: Set<string>;
  /** Names for which the server does not answer at all. */
  readonly silent: Set<string>;
  /** Names for which the server reports validated DNSSEC signatures. */
  readonly signed: Set<string>;
  /** Questions asked so far, as "TYPE name". */
  readonly asked: string[];
  readonly close: () => Promise<void>;
};

const TTL_SECONDS = 1;
const TLSA = 52;
const TXT_PIECE = /.{1,250}/gs;

function answersOf(name: string, type: number, records: ZoneRecords): object[] {
  const T = Packet.TYPE;
  const base = { name, class: Packet.CLASS.IN, ttl: TTL_SECONDS };
  if (records.CNAME !== undefined) return [{ ...base, type: T.CNAME, domain: records.CNAME }];
  if (type === T.A) return (records.A ?? []).map(address => ({ ...base, type, address }));
  if (type === T.AAAA) return (records.AAAA ?? []).map(address => ({ ...base, type, address }));
  if (type === T.MX)
    return (records.MX ?? []).map(([priority, exchange]) => ({ ...base, type, priority, exchange }));
  if (type === T.TXT)
    return (records.TXT ?? []).map(text => ({ ...base, type, data: text.match(TXT_PIECE) ?? [''] }));
  if (type === T.PTR) return (records.PTR ?? []).map(domain => ({ ...base, type, domain }));
  if (type === TLSA)
    return (records.TLSA ?? []).map(([usage, selector, matching, hex]) => ({
      ...base,
      type,
      data: Buffer.concat([Buffer.from([usage, selector, matching]), Buffer.from(hex, 'hex')]),
    }));
  return [];
}

const makeServer = (test: Omit<TestDns, 'server' | 'close'>) =>
  dns2.createServer({
    udp: true,
    tcp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      if (question === undefined) return;
      const name = question.name.toLowerCase();
      const type = question.type as number;
      test.asked.push(`${Packet.TYPE_NAME[type] ?? type} ${name}`);
      if (test.silent.has(name)) return;
      const records = test.zone[name];
      if (test.signed.has(name)) Object.assign(response.header, { ad: 1 });
      if (test.failing.has(name)) response.header.rcode = Packet.RCODE.SERVFAIL;
      else if (records === undefined) response.header.rcode = Packet.RCODE.NXDOMAIN;
      else {
        response.answers.push(...(answersOf(question.name, type, records) as never[]));
        const target = records.CNAME && test.zone[records.CNAME.toLowerCase()];
        if (target && records.CNAME)
          response.answers.push(...(answersOf(records.CNAME, type, target) as never[]));
      }
      send(response);
    },
  });

const ATTEMPTS = 20;

/** Starts the server, on the loopback address by default. UDP and TCP share one free port. */
export async function startTestDns(zone: Zone = {}, address = '127.0.0.1'): Promise<TestDns> {
  const test = {
    zone,
    failing: new Set<string>(),
    silent: new Set<string>(),
    signed: new Set<string>(),
    asked: [] as string[],
  };
  for (let attempt = 0; ; attempt++) {
    const server = makeServer(test);
    const failed = new Promise<never>((_, reject) => server.on('error', reject));
    // A port that is free for UDP may be in use for TCP; both are then tried again.
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const place = { port, address };
    try {
      const addresses = (await Promise.race([server.listen({ udp: place, tcp: place }), failed])) as {
        udp?: AddressInfo;
      };
      failed.catch(() => undefined);
      return {
        ...test,
        server: `${address}:${addresses.udp?.port ?? port}`,
        close: async () => {
          await server.close();
        },
      };
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
    }
  }
}
