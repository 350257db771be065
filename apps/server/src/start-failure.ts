/**
 * Says in plain lines why the service could not start. What is not foreseen is shown with its place in the code.
 */
import { type Config, ConfigError } from './config.ts';

type SystemError = Error & { code?: string; port?: number };

const settingOf = (port: number | undefined, config: Config | null): string =>
  config !== null && port === config.smtpPort ? 'SMTP_PORT' : 'PORT';

/** The lines to show. */
export const explainStartFailure = (thrown: unknown, config: Config | null): string => {
  const error = thrown as SystemError;
  if (error instanceof ConfigError) return `The configuration cannot be used:\n${indent(error.message)}`;
  if (
    ['BackupError', 'DataDirInUse', 'DatabaseMoved', 'StartRefused', 'UnsupportedPooler'].includes(error.name)
  )
    return error.message;
  if (error.name === 'BlobStoreUnavailable')
    return `The bucket cannot be used now: ${error.message}. Try again`;
  if (error.code === 'EADDRINUSE') {
    return `Port ${error.port} is in use. Stop what uses it, or set ${settingOf(error.port, config)} to another one.`;
  }
  if (error.code === 'EACCES' && error.port !== undefined) {
    return `Port ${error.port} may not be used by this account. Set ${settingOf(error.port, config)} to one above 1023.`;
  }
  if (
    config?.databaseUrl !== undefined &&
    /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|28|3D000)/.test(error.code ?? '')
  ) {
    return `The database of DATABASE_URL does not let us in (${error.code}): ${error.message}`;
  }
  return `Keyfold could not start.\n${indent(error.stack ?? String(thrown))}`;
};

const indent = (text: string): string =>
  text
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n');
