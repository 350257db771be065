/**
 * The SMTP listener. Accepts mail from other servers and does not relay. It greets as
 * KEYFOLD_HOSTNAME, offers STARTTLS, SIZE, PIPELINING, 8BITMIME, SMTPUTF8, ENHANCEDSTATUSCODES and
 * CHUNKING, and does not support AUTH. When it stops, messages in progress are finished and
 * answered.
 */
import type { AddressInfo } from 'node:net';
import { INBOUND_MAX_BYTES } from '@keyfold/contract/limits';
import type { SMTPServer } from 'smtp-server';
import type { Deps } from '../../context/deps.ts';
import type { Ingest } from '../../features/inbound/ingest/index.ts';
import { createDmarcLedger, type DmarcLedger } from '../../features/reports/dmarc-reports/index.ts';
import { createReportReceiver, type ReportReceiver } from '../../features/reports/received-reports/index.ts';
import { loadCertificate, watchCertificate } from '../../features/support/certificates/index.ts';
import { type ByteBudget, createByteBudget } from './byte-budget.ts';
import { createConnectionGate } from './connection-gate.ts';
import { createHandlers } from './handlers.ts';
import {
  CERTIFICATE_LOOK_MS,
  CLOSE_TIMEOUT_MS,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  CONNECTIONS_PER_SITE_MAX,
  IDLE_TIMEOUT_MS,
  IN_FLIGHT_MAX_BYTES,
  RECIPIENTS_MAX,
  STALE_MS,
} from './limits.ts';
import { Listener } from './listener.ts';
import { refusal, SmtpRefusal } from './replies.ts';
import { createTrace } from './trace.ts';

export type RunningSmtpServer = {
  /** Port in use; differs from the configured one when that is 0. */
  readonly port: number;
  /** Finishes and answers messages in progress, then ends every connection. */
  readonly close: () => Promise<void>;
};

/**
 * Starts listening on SMTP_PORT at KEYFOLD_SMTP_HOST and passes mail to `ingest`, which its creator
 * closes. `dmarc` counts the mail and `reports` reads what other servers report; both are closed
 * with the listener. `budget` limits the mail held in memory. The certificate is checked for
 * changes every `certificateLookMs`. Rejects when the port is unavailable.
 */
export async function startSmtpServer(
  deps: Deps,
  ingest: Ingest,
  dmarc: DmarcLedger = createDmarcLedger(deps),
  reports: ReportReceiver = createReportReceiver(deps),
  budget: ByteBudget = createByteBudget(IN_FLIGHT_MAX_BYTES),
  certificateLookMs: number = CERTIFICATE_LOOK_MS,
): Promise<RunningSmtpServer> {
  const underWay = createCounter();
  const gate = createConnectionGate({
    totalMax: CONNECTIONS_MAX,
    perAddressMax: CONNECTIONS_PER_ADDRESS_MAX,
    perSiteMax: CONNECTIONS_PER_SITE_MAX,
    staleMs: STALE_MS,
    now: () => performance.now(),
    evict: id => hangUp(server, id),
  });
  const certificate = await loadCertificate(deps, deps.config.hostname);
  const server: Listener = new Listener({
    ...certificate,
    minVersion: 'TLSv1.2',
    name: deps.config.hostname,
    size: INBOUND_MAX_BYTES,
    maxRecipients: RECIPIENTS_MAX,
    // A backstop for clients that the gate has not seen yet.
    maxClients: 2 * CONNECTIONS_MAX,
    socketTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    disabledCommands: ['AUTH', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL', 'HELP'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    // Its log lines quote addresses and commands.
    logger: false,
    ...createHandlers(deps, {
      gate,
      ingest,
      budget,
      begin: underWay.begin,
      dmarc,
      reports,
    }),
  });
  const trace = createTrace(deps.logger);
  server.onProtocolError = (session, code, text) =>
    trace.refused(session, 'command', new SmtpRefusal(code, text));
  server.guardSockets();
  await listen(server, deps);
  server.on('error', error => deps.logger.debug({ err: error }, 'SMTP connection failed'));
  const watched = {
    label: 'STARTTLS',
    hostname: deps.config.hostname,
    lookMs: certificateLookMs,
  } as const;
  const watch = watchCertificate(deps, watched, certificate, pair => server.updateSecureContext(pair));
  return {
    port: (server.server.address() as AddressInfo).port,
    close: async () => {
      watch.stop();
      await close(server, underWay);
      await Promise.all([dmarc.close(), reports.close()]);
    },
  };
}

const listen = (server: SMTPServer, { config }: Deps): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    // Without a host, Node listens on all addresses of both families, or of the only one available.
    server.listen(config.smtpPort, config.smtpHost, () => {
      server.off('error', reject);
      resolve();
    });
  });

function hangUp(server: SMTPServer, connectionId: string): void {
  for (const connection of server.connections) {
    if (connection.id !== connectionId) continue;
    const { responseCode, message } = refusal('tooMany');
    connection.send(responseCode, message, false);
    return;
  }
}

type Counter = {
  readonly begin: () => () => void;
  readonly isIdle: () => boolean;
  /** Resolves once no message is in progress. */
  readonly whenIdle: () => Promise<void>;
};

function createCounter(): Counter {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    begin: () => {
      count++;
      return () => {
        if (--count > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
      };
    },
    isIdle: () => count === 0,
    whenIdle: () => (count === 0 ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
  };
}

/** Ends every session: immediately if no message is in progress, otherwise after the reply. */
async function close(server: SMTPServer, underWay: Counter): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(resolve));
  const { responseCode, message } = refusal('closing');
  const sendOff = (isForced: boolean) => {
    for (const connection of server.connections)
      if (isForced || !connection._dataStream) connection.send(responseCode, message, false);
  };
  sendOff(false);
  const tooLong = new Promise<void>(resolve => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref());
  await Promise.race([underWay.whenIdle(), tooLong]);
  // The reply to the last message is written in the same event-loop turn, so the connection must
  // not end before the next one.
  await new Promise(resolve => setImmediate(resolve));
  sendOff(true);
  await closed;
}
