/**
 * A mail provider for tests: names that resolve to public addresses, all served by one local IMAP
 * server with implicit TLS at 993 and STARTTLS at 143. The guard against private addresses stays
 * active.
 */
import { makeCertificate } from '@keyfold/testing/certificate';
import { type ImapServer, startImapServer } from '@keyfold/testing/imap';
import type { Dns } from '../../src/adapters/dns.ts';
import type { OutboundConnector } from '../../src/adapters/outbound-http.ts';

export type TestProvider = {
  readonly dns: Dns;
  readonly outboundConnector: OutboundConnector;
  readonly tls: ImapServer;
  readonly plain: ImapServer;
  /** Addresses by name. A function is called at each lookup. */
  readonly names: Record<string, readonly string[] | (() => readonly string[])>;
  /** Connections made, as "address port". */
  readonly connected: string[];
  readonly close: () => Promise<void>;
};

/** Starts the provider. Its certificate is for `imap.old.test`. */
export async function startTestProvider(): Promise<TestProvider> {
  const keys = await makeCertificate(['imap.old.test']);
  const [tls, plain] = [await startImapServer(keys), await startImapServer({ ...keys, kind: 'plain' })];
  const names: TestProvider['names'] = { 'imap.old.test': ['93.184.216.40'] };
  const connected: string[] = [];
  return {
    tls,
    plain,
    names,
    connected,
    dns: {
      resolve: async (name, type) => {
        const known = names[name];
        const addresses = (typeof known === 'function' ? known() : known) ?? [];
        const found = addresses.filter(address => address.includes(':') === (type === 'AAAA'));
        if (found.length === 0) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        return [...found];
      },
    },
    outboundConnector: (address, port) => {
      connected.push(`${address} ${port}`);
      return { host: '127.0.0.1', port: port === 143 ? plain.port : tls.port, ca: keys.cert };
    },
    close: async () => {
      await Promise.all([tls.close(), plain.close()]);
    },
  };
}
