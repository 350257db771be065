/**
 * Mail servers of other domains, for tests of outbound connections: each presents the certificate
 * that the test gives it, or does not support TLS, and records the recipients it accepted.
 */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { TestCertificate } from './certificates.ts';

export type MailPeer = {
  readonly port: number;
  /** Accepted recipients, and whether their mail came over TLS. */
  readonly taken: { readonly to: string; readonly isSecure: boolean }[];
  /** Connections so far. */
  readonly connections: () => number;
  /** Connections that have not ended. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
};

export type MailPeerOptions = SMTPServerOptions & { readonly host?: string; readonly listenPort?: number };

/** Starts a server. With `null` as certificate it does not offer STARTTLS. */
export async function startMailPeer(
  certificate: Pick<TestCertificate, 'cert' | 'key'> | null,
  { host = '127.0.0.1', listenPort = 0, ...options }: MailPeerOptions = {},
): Promise<MailPeer> {
  const taken: { to: string; isSecure: boolean }[] = [];
  let connections = 0;
  let open = 0;
  const server = new SMTPServer({
    disableReverseLookup: true,
    logger: false,
    authOptional: true,
    ...(certificate === null
      ? { disabledCommands: ['STARTTLS'] }
      : { key: certificate.key, cert: certificate.cert }),
    onConnect: (_session, callback) => {
      connections++;
      open++;
      callback();
    },
    onClose: () => {
      open--;
    },
    onData: (stream, session, callback) => {
      stream.resume();
      stream.on('end', () => {
        for (const { address } of session.envelope.rcptTo)
          taken.push({ to: address, isSecure: session.secure });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>(resolve => server.listen(listenPort, host, resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    connections: () => connections,
    open: () => open,
    close: () => new Promise(resolve => server.close(resolve)),
  };
}
