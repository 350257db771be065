/**
 * The only place that constructs things: it makes Deps from a configuration, starts what KEYFOLD_ROLES asks for, and
 * closes it again in the right order. Rules and protocols are elsewhere.
 */
import type { Server } from 'node:http';
import path from 'node:path';
import { api, type Handlers } from '@keyfold/contract';
import { createFileBlobs } from './adapters/blob-files.ts';
import { createS3Blobs } from './adapters/blob-s3.ts';
import { systemClock } from './adapters/clock.ts';
import { createDns } from './adapters/dns.ts';
import type { Config } from './config.ts';
import { type Connection, createDb, createPool } from './db/pool.ts';
import type { Deps } from './deps.ts';
import { authHandlers, csrfHandlers } from './features/auth/routes.ts';
import { draftHandlers } from './features/drafts/routes.ts';
import { mailHandlers } from './features/mail/routes.ts';
import { sendingHandlers } from './features/sending/routes.ts';
import type { RequestContext } from './http/context.ts';
import type { HandlerTable } from './http/mount.ts';
import { startMetrics } from './http/probes.ts';
import { startHttp } from './http/server.ts';
import { startJobs } from './jobs/schedule.ts';
import { createLogger } from './logger.ts';
import { loadMasterKey } from './master-key.ts';
import { startSmtpServer } from './smtp/inbound/server.ts';
import { startDelivery } from './smtp/outbound/start.ts';

/** Handlers for every call of the contract. */
type ApiHandlers = {
  readonly [G in keyof typeof api]: Handlers<(typeof api)[G], RequestContext>;
};

const WEB_ROOT = path.resolve(import.meta.dirname, '../../web/dist');

/** What a test may exchange; the rest is the real thing. */
export type Overrides = Partial<Pick<Deps, 'blobs' | 'clock' | 'dns' | 'logger' | 'masterKey'>> & {
  readonly webRoot?: string;
};

export type App = {
  readonly deps: Deps;
  /** Ports in use, of interest when a configured one is 0; null where the role is not run. */
  readonly httpPort: number | null;
  readonly smtpPort: number | null;
  readonly metricsPort: number | null;
  /** Finishes what was accepted, then lets go of everything. */
  readonly close: () => Promise<void>;
};

/** The handlers of all features. */
const createApiHandlers = (deps: Deps): ApiHandlers => ({
  auth: authHandlers(deps),
  csrf: csrfHandlers(deps),
  mail: mailHandlers(deps),
  sending: { ...draftHandlers(deps), ...sendingHandlers(deps) },
});

/** Makes what every room is handed. */
export const createDeps = async (
  config: Config,
  connection: Connection,
  overrides: Overrides,
): Promise<Deps> => {
  const logger = overrides.logger ?? createLogger(config.logLevel);
  return {
    config,
    logger,
    db: createDb(createPool(connection, logger)),
    blobs:
      overrides.blobs ??
      (config.s3 === undefined ? await createFileBlobs(config.dataDir) : createS3Blobs(config.s3)),
    dns: overrides.dns ?? createDns(config.dnsServers),
    clock: overrides.clock ?? systemClock,
    masterKey: overrides.masterKey ?? loadMasterKey(config.dataDir),
  };
};

/** Numbers are worth less than mail: a taken metrics port is a line in the log, not a failed start. */
const startMetricsIfFree = async ({ config, logger }: Deps): Promise<Server | null> => {
  try {
    return await startMetrics(config.metricsPort);
  } catch (error) {
    logger.warn({ err: error, port: config.metricsPort }, 'metrics are off: their port cannot be had');
    return null;
  }
};

type Part = { readonly close: () => Promise<void> };

/** Starts the app on a migrated database. Rejects, and leaves nothing running, when a part does not start. */
export const startApp = async (
  config: Config,
  connection: Connection,
  overrides: Overrides = {},
): Promise<App> => {
  const deps = await createDeps(config, connection, overrides);
  const doors: Part[] = [];
  const workers: Part[] = [];
  const has = (role: Config['roles'][number]) => config.roles.includes(role);
  let metrics: Server | null = null;
  const close = async () => {
    // Doors first: what came in through them may still need the workers' database and queue.
    await Promise.allSettled(doors.map(door => door.close()));
    await Promise.allSettled(workers.map(worker => worker.close()));
    metrics?.close();
    metrics?.closeAllConnections();
    await deps.db.destroy();
  };
  try {
    if (has('worker')) workers.push(await startJobs(deps, connection), await startDelivery(deps));
    const smtp = has('smtp') ? await startSmtpServer(deps) : null;
    if (smtp !== null) doors.push(smtp);
    const http = has('http')
      ? await startHttp(deps, {
          table: api,
          handlers: createApiHandlers(deps) as unknown as HandlerTable,
          webRoot: overrides.webRoot ?? WEB_ROOT,
        })
      : null;
    if (http !== null) doors.push(http);
    metrics = await startMetricsIfFree(deps);
    const address = metrics?.address();
    return {
      deps,
      httpPort: http?.port ?? null,
      smtpPort: smtp?.port ?? null,
      metricsPort: typeof address === 'object' ? (address?.port ?? null) : null,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** What is said on the terminal once everything runs. */
export const announce = ({ deps: { config }, httpPort, smtpPort }: App): string => {
  const url = new URL(config.publicUrl);
  if (httpPort !== null && config.httpPort === 0) url.port = String(httpPort);
  const lines = [
    'Keyfold is running.',
    ...(httpPort === null ? [] : [`  Web client and API   ${url.href}`]),
    ...(smtpPort === null
      ? []
      : [`  Incoming mail        port ${smtpPort} (SMTP), for ${config.domains.join(', ')}`]),
    `  Data                 ${config.dataDir}`,
    `  Make an admin        npm run admin -- grant super NAME@${config.domains[0]}`,
    '  DNS records          npm run admin -- dkim',
    'Press Ctrl+C to stop.',
  ];
  return `${lines.join('\n')}\n`;
};
