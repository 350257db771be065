/**
 * Websites for tests: names that resolve as the test specifies, and one local HTTP and HTTPS server
 * that answers for every public address. The guard against private addresses stays active; only the
 * connection from a checked address to the server is redirected.
 */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { generate } from 'selfsigned';
import type { Dns } from '../../src/adapters/dns.ts';
import type { OutboundConnector } from '../../src/adapters/outbound-http.ts';

/** Addresses of a name by record type. A function is called at each lookup. */
export type Names = Record<string, readonly string[] | (() => readonly string[])>;

export type TestWeb = {
  readonly dns: Dns;
  readonly outboundConnector: OutboundConnector;
  readonly names: Names;
  /** Connections made, as "address port". */
  readonly connected: string[];
  readonly lookedUp: string[];
  /** Request handler; set by the test. */
  handle: RequestListener;
  readonly close: () => Promise<void>;
};

async function portOf(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function closed(server: Server & { closeAllConnections: () => void }): Promise<void> {
  server.closeAllConnections();
  return new Promise(resolve => server.close(() => resolve()));
}

/** Starts the server with a certificate for these names. */
export async function startTestWeb(certified: readonly string[] = ['*.site.test']): Promise<TestWeb> {
  const made = await generate([{ name: 'commonName', value: 'site.test' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: certified.map(value => ({ type: 2, value })) }],
  });
  const answer: RequestListener = (request, response) => test.handle(request, response);
  const plain = createServer(answer);
  const secure = createSecureServer({ key: made.private, cert: made.cert }, answer);
  const ports = { 80: await portOf(plain), 443: await portOf(secure) };
  const names: Names = { 'img.site.test': ['93.184.216.34'], 'list.site.test': ['93.184.216.35'] };
  const test: TestWeb = {
    names,
    connected: [],
    lookedUp: [],
    handle: (_request, response) => void response.writeHead(404).end(),
    dns: {
      resolve: async (name, type) => {
        test.lookedUp.push(`${type} ${name}`);
        const known = names[name];
        const addresses = (typeof known === 'function' ? known() : known) ?? [];
        const found = addresses.filter(address => address.includes(':') === (type === 'AAAA'));
        if (found.length === 0) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        return [...found];
      },
    },
    outboundConnector: (address, port) => {
      test.connected.push(`${address} ${port}`);
      return { host: '127.0.0.1', port: ports[port as 80 | 443], ca: made.cert };
    },
    close: async () => {
      await Promise.all([closed(plain), closed(secure)]);
    },
  };
  return test;
}
