/**
 * Explains in plain lines why the service could not start. Unexpected errors are shown with their
 * location in the code.
 */
import path from 'node:path';
import { findOtherAccount } from '../base/file-owner.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

type SystemError = Error & {
  code?: string;
  port?: number;
  address?: string;
  hostname?: string;
  path?: string;
};

/** Errors whose message is shown as it is. */
const SAID = ['BackupError', 'DataDirInUse', 'DatabaseMoved', 'StartRefused', 'UnsupportedPooler'];

function settingOf(port: number | undefined, config: Config | null): string {
  if (config === null) return 'PORT';
  const settings = {
    SMTP_PORT: config.smtpPort,
    HTTPS_PORT: config.https?.port,
    HTTP_PORT: config.https?.redirectPort,
  };
  return Object.entries(settings).find(([, used]) => used !== undefined && used === port)?.[0] ?? 'PORT';
}

function explainPort({ code, port }: SystemError, setting: string): string | null {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the process that uses it, or set ${setting} to another port.`;
  if (code === 'EACCES' && port !== undefined)
    return `This account may not use port ${port}. Set ${setting} to a port above 1023.`;
  return null;
}

function explainHost({ code }: SystemError, host: string, setting: string): string | null {
  if (code === 'ENOTFOUND' || code?.startsWith('EAI_') === true)
    return `${setting}: the host name ${host} is unknown (${code}). Set an address of this machine, such as 127.0.0.1 or 0.0.0.0.`;
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
    return `${setting}: ${host} is not an address of this machine (${code}).`;
  return null;
}

/** Explains why the server cannot listen; returns null for other failures. */
function explainListening(error: SystemError, config: Config | null): string | null {
  const ofPort = explainPort(error, settingOf(error.port, config));
  if (ofPort !== null) return ofPort;
  const host = error.address ?? error.hostname;
  if (config === null || host === undefined || ![config.httpHost, config.smtpHost].includes(host))
    return null;
  return explainHost(error, host, host === config.httpHost ? 'KEYFOLD_HOST' : 'KEYFOLD_SMTP_HOST');
}

/**
 * Explains in one line for the terminal why metrics are unavailable; the start continues without
 * them.
 */
export function explainNoMetrics(thrown: unknown, { metricsHost }: Pick<Config, 'metricsHost'>): string {
  const error = thrown as SystemError;
  return (
    explainPort(error, 'METRICS_PORT') ?? explainHost(error, metricsHost, 'METRICS_HOST') ?? error.message
  );
}

/** Returns whether a path is the data folder, inside it, or above it. */
const isOfDataFolder = (place: string, { dataDir }: Config): boolean =>
  `${place}${path.sep}`.startsWith(`${dataDir}${path.sep}`) ||
  `${dataDir}${path.sep}`.startsWith(`${place}${path.sep}`);

/**
 * Explains why a folder cannot be used; returns null for other failures. An operator's command may
 * also write outside the data folder.
 */
function explainFolder(error: SystemError, config: Config | null): string | null {
  if (config === null) return null;
  const { code = '', message } = error;
  const isOfPostgres = message.startsWith('PostgreSQL ');
  const place = error.path ?? config.dataDir;
  if (['ENOSPC', 'EDQUOT'].includes(code) || (isOfPostgres && /No space left on device/.test(message)))
    return `The disk of ${place} is full. Free some space and try again.`;
  if (
    ['EACCES', 'EPERM', 'EROFS'].includes(code) ||
    (isOfPostgres && /Permission denied|Read-only file system/.test(message))
  ) {
    const said = `${place} cannot be used by this account${code === '' ? '' : ` (${code})`}`;
    if (!isOfDataFolder(place, config)) return `${said}.`;
    const owner = findOtherAccount(place) ?? findOtherAccount(config.dataDir);
    return `${said}: ${owner === null ? 'set KEYFOLD_DATA to a folder that it can write to' : `run as ${owner}`}.`;
  }
  if (['EEXIST', 'ENOTDIR'].includes(code) && error.path !== undefined && isOfDataFolder(place, config))
    return `KEYFOLD_DATA: ${error.path} is not a folder.`;
  return null;
}

/** Returns the lines to show. */
export function explainStartFailure(thrown: unknown, config: Config | null): string {
  const error = thrown as SystemError;
  if (error instanceof ConfigError) return `The configuration cannot be used:\n${indent(error.message)}`;
  if (SAID.includes(error.name)) return error.message;
  if (error.name === 'BlobStoreUnavailable') return `The bucket is unavailable: ${error.message}. Try again`;
  const explained =
    error instanceof Error ? (explainListening(error, config) ?? explainFolder(error, config)) : null;
  if (explained !== null) return explained;
  if (
    config?.databaseUrl !== undefined &&
    /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|28|3D000)/.test(error.code ?? '')
  ) {
    return `The database of DATABASE_URL refused the connection (${error.code}): ${error.message}`;
  }
  return `Keyfold could not start.\n${indent(error.stack ?? String(thrown))}`;
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n');
