/**
 * The composition root: builds Deps from a configuration, starts the parts that KEYFOLD_ROLES
 * selects, and closes them in the right order. Contains no business rules and no protocols.
 */
import type { Server } from 'node:http';
import path from 'node:path';
import { api, type Handlers } from '@keyfold/contract';
import type { Clock } from './adapters/clock.ts';
import { createDns } from './adapters/dns.ts';
import { openBlobs, openImportFiles, requireBucket } from './adapters/open-files.ts';
import { directConnector } from './adapters/outbound-http.ts';
import type { Payments } from './adapters/payments.ts';
import { startServiceClock } from './adapters/service-clock.ts';
import { createRspamd } from './adapters/spam-scanner.ts';
import { createLogger, type Logger } from './base/logger.ts';
import type { Config } from './config/config.ts';
import { explainNoMetrics } from './config/start-failure.ts';
import type { RequestContext } from './context/call-context.ts';
import type { Deps } from './context/deps.ts';
import { askTime, type Connection, createDb, createPool, type Db } from './db/pool.ts';
import { closingHandlers } from './features/accounts/account-deletion/routes.ts';
import { requireOwner } from './features/accounts/auth/index.ts';
import {
  accessHandlers,
  adminAccessHandlers,
  authHandlers,
  biometricHandlers,
  mfaHandlers,
  recoveryHandlers,
  signInHandlers,
  signUpHandlers,
} from './features/accounts/auth/routes.ts';
import { contactHandlers } from './features/accounts/contacts/routes.ts';
import { keyLogHandlers } from './features/accounts/key-log/routes.ts';
import { keyRotationHandlers } from './features/accounts/key-rotation/routes.ts';
import { recordHandlers } from './features/accounts/records/routes.ts';
import { searchHandlers } from './features/accounts/search/routes.ts';
import { otpHandlers, secondFactorHandlers } from './features/accounts/second-factor/routes.ts';
import { signUpCodeHandlers } from './features/accounts/sign-up-codes/routes.ts';
import { signatureHandlers } from './features/accounts/signatures/routes.ts';
import { profileHandlers } from './features/accounts/users/routes.ts';
import { type EventHub, startAnnouncer, startEventHub } from './features/clients/events/index.ts';
import { eventHandlers } from './features/clients/events/routes.ts';
import { notificationHandlers } from './features/clients/notifications/routes.ts';
import { importHandlers } from './features/imports/client-import/routes.ts';
import { serverImportHandlers } from './features/imports/server-import/routes.ts';
import { analyticsHandlers } from './features/inbound/analytics/routes.ts';
import { storeStandardSettings } from './features/inbound/filters/index.ts';
import { filterHandlers, rulesHandlers } from './features/inbound/filters/routes.ts';
import { createIngest } from './features/inbound/ingest/index.ts';
import { remoteContentHandlers } from './features/inbound/remote-content/routes.ts';
import { keepAdmin } from './features/operator/admin/index.ts';
import { adminHandlers } from './features/operator/admin/routes.ts';
import { operationsHandlers } from './features/operator/operations/routes.ts';
import { openServerKey } from './features/operator/server-key/index.ts';
import { addressHandlers } from './features/organization/addresses/routes.ts';
import { endBilling, startClosing } from './features/organization/billing/index.ts';
import { billingHandlers } from './features/organization/billing/routes.ts';
import { domainHandlers } from './features/organization/domains/routes.ts';
import { leaveForGood } from './features/organization/members/index.ts';
import { joiningHandlers, organizationHandlers } from './features/organization/members/routes.ts';
import { calendarHandlers } from './features/outbound/calendar/routes.ts';
import { draftHandlers } from './features/outbound/drafts/routes.ts';
import { sendingHandlers } from './features/outbound/sending/routes.ts';
import { mailHandlers } from './features/reading/mail/routes.ts';
import { tagHandlers } from './features/reading/tags/routes.ts';
import { findOwnBuild } from './http/client-build.ts';
import type { HandlerTable } from './http/mount.ts';
import { startMetrics } from './http/probes.ts';
import { startRedirects } from './http/redirects.ts';
import { startHttp } from './http/server.ts';
import { startPush } from './jobs/push.ts';
import { startReleases } from './jobs/releases.ts';
import { startJobs } from './jobs/schedule.ts';
import { startServerImports } from './jobs/server-imports.ts';
import { startSmtpServer } from './smtp/inbound/server.ts';
import { startDelivery } from './smtp/outbound/start.ts';

/** Handlers for every endpoint of the contract. */
type ApiHandlers = {
  readonly [G in keyof typeof api]: Handlers<(typeof api)[G], RequestContext>;
};

const WEB_ROOT = path.resolve(import.meta.dirname, '../../web/dist');

/** Dependencies that a test may replace; all others are real. */
export type Overrides = Partial<
  Pick<
    Deps,
    'blobs' | 'clock' | 'dns' | 'logger' | 'masterKey' | 'payments' | 'spamScanner' | 'outboundConnector'
  >
> & {
  readonly webRoot?: string;
  /**
   * Hash of the sources that the client at `webRoot` must be built from; null accepts any. Defaults
   * to the sources of this checkout.
   */
  readonly build?: string | null;
  /** Whether a first start may create the server's key; defaults to true. */
  readonly mayMakeKey?: boolean;
};

export type App = {
  readonly deps: Deps;
  /** Ports in use, relevant when a configured port is 0; null when the role is not run. */
  readonly httpPort: number | null;
  /** Ports of HTTPS and of its redirects; null when a proxy provides HTTPS. */
  readonly httpsPort: number | null;
  readonly redirectPort: number | null;
  readonly smtpPort: number | null;
  readonly metricsPort: number | null;
  /** Why metrics are unavailable; null when they are available. */
  readonly metricsProblem: string | null;
  /** Finishes accepted work, then releases all resources. */
  readonly close: () => Promise<void>;
};

/** Creates the handlers of all features. */
const createApiHandlers = (deps: Deps, hub: EventHub): ApiHandlers => ({
  account: {
    ...accessHandlers(deps),
    ...closingHandlers({ ...deps, leaveForGood, keepAdmin, endBilling, startClosing }),
    ...profileHandlers(deps),
  },
  addresses: addressHandlers(deps),
  admin: adminHandlers(deps),
  admin_access: adminAccessHandlers(deps),
  auth: authHandlers(deps),
  sign_in: signInHandlers(deps),
  sign_up: signUpHandlers({ ...deps, prepareAccount: storeStandardSettings }),
  recovery: recoveryHandlers(deps),
  biometrics: biometricHandlers(deps),
  mfa: mfaHandlers(deps),
  otp: otpHandlers(deps),
  second_factor: secondFactorHandlers({ ...deps, requireOwner }),
  contacts: contactHandlers(deps),
  domains: domainHandlers(deps),
  mail: mailHandlers(deps),
  rules: rulesHandlers(deps),
  search: searchHandlers(deps),
  sending: { ...draftHandlers(deps), ...sendingHandlers(deps) },
  tags: tagHandlers(deps),
  events: eventHandlers(hub),
  imports: importHandlers(deps),
  calendar: calendarHandlers(deps),
  joining: joiningHandlers(deps),
  key_log: keyLogHandlers(deps),
  notifications: notificationHandlers(deps),
  operations: operationsHandlers(deps),
  organization: organizationHandlers(deps),
  key_rotation: keyRotationHandlers(deps),
  server_imports: serverImportHandlers(deps),
  records: recordHandlers(deps),
  remote_content: remoteContentHandlers(deps),
  security: { ...analyticsHandlers(deps), ...filterHandlers(deps) },
  signatures: signatureHandlers(deps),
  sign_up_codes: signUpCodeHandlers(deps),
  billing: billingHandlers(deps),
});

/**
 * Creates the Stripe payments when keys are configured; otherwise Stripe's library is never loaded.
 */
async function createPayments({ stripe }: Config): Promise<Payments | null> {
  if (stripe === undefined) return null;
  const { createStripePayments } = await import('./adapters/payments-stripe.ts');
  return createStripePayments(stripe);
}

const startClock = (db: Db, logger: Logger): Promise<Clock> =>
  startServiceClock({ ask: () => askTime(db), logger });

async function assembleDeps(
  config: Config,
  { db, logger }: Pick<Deps, 'db' | 'logger'>,
  overrides: Overrides,
): Promise<Deps> {
  const { dataDir } = config;
  // First, so that nothing is created for a service that has another key.
  const masterKey =
    overrides.masterKey ?? (await openServerKey(db, { dataDir, mayMake: overrides.mayMakeKey ?? true }));
  return {
    config,
    logger,
    db,
    blobs: overrides.blobs ?? (await openBlobs(config)),
    importFiles: openImportFiles(config),
    dns: overrides.dns ?? createDns(config.dnsServers),
    outboundConnector: overrides.outboundConnector ?? directConnector,
    spamScanner:
      overrides.spamScanner ??
      (config.rspamdUrl === undefined ? null : createRspamd({ url: config.rspamdUrl, logger })),
    payments: overrides.payments ?? (await createPayments(config)),
    masterKey,
    clock: overrides.clock ?? (await startClock(db, logger)),
  };
}

/**
 * Creates the dependencies shared by all packages. Rejects, and closes its connections, when one of
 * them is unavailable.
 */
export async function createDeps(
  config: Config,
  connection: Connection,
  overrides: Overrides,
): Promise<Deps> {
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const db = createDb(createPool(connection, logger));
  try {
    return await assembleDeps(config, { db, logger }, overrides);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * Mail matters more than metrics: when the metrics port cannot be opened, the server starts without
 * metrics and reports the reason.
 */
async function startMetricsIfFree(
  config: Config,
): Promise<{ readonly server: Server | null; readonly problem: string | null }> {
  try {
    return { server: await startMetrics(config), problem: null };
  } catch (error) {
    return { server: null, problem: explainNoMetrics(error, config) };
  }
}

/** Starts the HTTP listener with its event streams. */
async function startHttpWithEvents(
  deps: Deps,
  connection: Connection,
  { webRoot = WEB_ROOT, build }: Overrides,
  doors: Part[],
) {
  const hub = startEventHub(deps, connection);
  doors.push(hub);
  const handlers = createApiHandlers(deps, hub) as unknown as HandlerTable;
  const http = await startHttp(deps, {
    table: api,
    handlers,
    webRoot,
    build: build === undefined ? await findOwnBuild() : build,
  });
  doors.push(http);
  return http;
}

type Part = { readonly close: () => Promise<void> };

/**
 * Starts the app on a migrated database. If a part fails to start, it rejects and leaves nothing
 * running.
 */
export async function startApp(
  config: Config,
  connection: Connection,
  overrides: Overrides = {},
): Promise<App> {
  if (overrides.blobs === undefined) await requireBucket(config);
  const deps = await createDeps(config, connection, overrides);
  // Shared by all incoming mail, so that its threads and transactions have one common bound.
  const ingest = createIngest(deps);
  const doors: Part[] = [];
  const workers: Part[] = [];
  const has = (role: Config['roles'][number]) => config.roles.includes(role);
  let metrics: Server | null = null;
  const close = async () => {
    // Listeners close first: requests they have accepted may still need the workers' database and
    // queue.
    await Promise.allSettled(doors.map(door => door.close()));
    await Promise.allSettled(workers.map(worker => worker.close()));
    await ingest.close();
    metrics?.close();
    metrics?.closeAllConnections();
    deps.clock.close?.();
    await deps.db.destroy();
  };
  try {
    // On every machine: an authority may ask any of them.
    const redirects = config.https === null ? null : await startRedirects(deps, config.https);
    if (redirects !== null) doors.push(redirects);
    workers.push(startAnnouncer(deps));
    if (has('worker')) {
      workers.push(
        await startJobs(deps, connection),
        await startDelivery(deps, ingest, { isAlone: config.databaseUrl === undefined }),
        startReleases(deps),
        startServerImports(deps),
        startPush(deps, connection),
      );
    }
    const smtp = has('smtp') ? await startSmtpServer(deps, ingest) : null;
    if (smtp !== null) doors.push(smtp);
    const http = has('http') ? await startHttpWithEvents(deps, connection, overrides, doors) : null;
    const { server, problem } = await startMetricsIfFree(config);
    metrics = server;
    const address = metrics?.address();
    return {
      deps,
      httpPort: http?.port ?? null,
      httpsPort: http?.httpsPort ?? null,
      redirectPort: redirects?.port ?? null,
      smtpPort: smtp?.port ?? null,
      metricsPort: typeof address === 'object' ? (address?.port ?? null) : null,
      metricsProblem: problem,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Describes where SMTP listens; the address is omitted when it is all addresses. */
const smtpPlace = ({ smtpHost }: Pick<Config, 'smtpHost'>, port: number): string =>
  smtpHost === undefined || ['0.0.0.0', '::'].includes(smtpHost)
    ? `port ${port}`
    : `${smtpHost} port ${port}`;

/** Returns the text for the terminal once everything runs. */
export function announce({ deps: { config }, httpPort, smtpPort, metricsProblem }: App): string {
  const url = new URL(config.publicUrl);
  if (httpPort !== null && config.httpPort === 0) url.port = String(httpPort);
  const lines = [
    'Keyfold is running.',
    ...(httpPort === null ? [] : [`  Web client and API   ${url.href}`]),
    ...(smtpPort === null
      ? []
      : [`  Incoming mail        ${smtpPlace(config, smtpPort)} (SMTP), for ${config.domains.join(', ')}`]),
    ...(metricsProblem === null ? [] : [`  No metrics           ${metricsProblem}`]),
    `  Data                 ${config.dataDir}`,
    `  Make an admin        npm run admin -- grant super NAME@${config.domains[0]}`,
    '  DNS records          npm run admin -- dkim',
    'Press Ctrl+C to stop.',
  ];
  return `${lines.join('\n')}\n`;
}
