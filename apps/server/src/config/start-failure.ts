/**
 * Says in plain lines why the service could not start. What is not foreseen is shown with its place in the code.
 */
import path from 'node:path';
import { findOtherAccount } from '../base/file-owner.ts';
import { type Config, ConfigError } from './config.ts';

type SystemError = Error & {
  code?: string;
  port?: number;
  address?: string;
  hostname?: string;
  path?: string;
};

/** Errors whose message is the line to show. */
const SAID = ['BackupError', 'DataDirInUse', 'DatabaseMoved', 'StartRefused', 'UnsupportedPooler'];

const settingOf = (port: number | undefined, config: Config | null): string =>
  config !== null && port === config.smtpPort ? 'SMTP_PORT' : 'PORT';

function explainPort({ code, port }: SystemError, setting: string): string | null {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop what uses it, or set ${setting} to another one.`;
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be used by this account. Set ${setting} to one above 1023.`;
  return null;
}

function explainHost({ code }: SystemError, host: string, setting: string): string | null {
  if (code === 'ENOTFOUND' || code?.startsWith('EAI_') === true)
    return `${setting}: the host name ${host} is unknown (${code}). Set an address of this machine, such as 127.0.0.1 or 0.0.0.0.`;
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
    return `${setting}: ${host} is not an address of this machine (${code}).`;
  return null;
}

/** Why the server cannot listen; null when that is not what failed. */
function explainListening(error: SystemError, config: Config | null): string | null {
  const ofPort = explainPort(error, settingOf(error.port, config));
  if (ofPort !== null) return ofPort;
  const host = error.address ?? error.hostname;
  if (config === null || host === undefined || ![config.httpHost, config.smtpHost].includes(host))
    return null;
  return explainHost(error, host, host === config.httpHost ? 'KEYFOLD_HOST' : 'KEYFOLD_SMTP_HOST');
}

/** Why there are no metrics: a line for the terminal, since the start goes on without them. */
export function explainNoMetrics(thrown: unknown, { metricsHost }: Pick<Config, 'metricsHost'>): string {
  const error = thrown as SystemError;
  return (
    explainPort(error, 'METRICS_PORT') ?? explainHost(error, metricsHost, 'METRICS_HOST') ?? error.message
  );
}

/** Whether a path is the data folder, in it, or above it. */
const isOfDataFolder = (place: string, { dataDir }: Config): boolean =>
  `${place}${path.sep}`.startsWith(`${dataDir}${path.sep}`) ||
  `${dataDir}${path.sep}`.startsWith(`${place}${path.sep}`);

/** Why a folder cannot be used; null when that is not what failed. A command of the operator may write elsewhere too. */
function explainFolder(error: SystemError, config: Config | null): string | null {
  if (config === null) return null;
  const { code = '', message } = error;
  const isOfPostgres = message.startsWith('PostgreSQL ');
  const place = error.path ?? config.dataDir;
  if (['ENOSPC', 'EDQUOT'].includes(code) || (isOfPostgres && /No space left on device/.test(message)))
    return `The disk of ${place} is full: free some space and try again.`;
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

/** The lines to show. */
export function explainStartFailure(thrown: unknown, config: Config | null): string {
  const error = thrown as SystemError;
  if (error instanceof ConfigError) return `The configuration cannot be used:\n${indent(error.message)}`;
  if (SAID.includes(error.name)) return error.message;
  if (error.name === 'BlobStoreUnavailable')
    return `The bucket cannot be used now: ${error.message}. Try again`;
  const explained =
    error instanceof Error ? (explainListening(error, config) ?? explainFolder(error, config)) : null;
  if (explained !== null) return explained;
  if (
    config?.databaseUrl !== undefined &&
    /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|28|3D000)/.test(error.code ?? '')
  ) {
    return `The database of DATABASE_URL does not let us in (${error.code}): ${error.message}`;
  }
  return `Keyfold could not start.\n${indent(error.stack ?? String(thrown))}`;
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n');
