// Problems with the sign-in to another provider, by field: found locally, or reported by the
// server.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { isPort, readImapHost } from './imap-host.ts';
import type { ImapLoginFields } from './imap-login.ts';

const fields = ['user', 'password', 'host', 'port'] as const;
export type ImapField = (typeof fields)[number];
export type ImapProblems = Readonly<Partial<Record<ImapField, string>>>;

/** Returns the first field with a problem. */
export const firstField = (problems: ImapProblems): ImapField | undefined =>
  fields.find(field => problems[field] !== undefined);

const wrong: Readonly<Record<ImapField, () => string>> = {
  user: () => t('This isn’t a valid username'),
  password: () => t('This isn’t a valid password'),
  host: () => t('Enter a server name such as imap.example.org'),
  port: () => t('Enter a port between 1 and 65535. Mail servers use 993, or 143 with STARTTLS.'),
};

/** Returns the problems that can be found locally. */
export function problemsOf({ user, password, host, port }: ImapLoginFields): ImapProblems {
  return {
    ...(user.trim() === '' ? { user: t('Enter your address or username at the provider') } : {}),
    ...(password === '' ? { password: t('Enter your password at the provider') } : {}),
    ...(host.trim() === ''
      ? { host: t('Enter the name of the IMAP server') }
      : readImapHost(host) === null
        ? { host: wrong.host() }
        : {}),
    ...(isPort(port.trim()) ? {} : { port: wrong.port() }),
  };
}

const fieldByCode: ReadonlyMap<string, ImapField> = new Map([
  ['imap_unknown_host', 'host'],
  ['imap_address_refused', 'host'],
  ['imap_unreachable', 'host'],
  ['imap_certificate', 'host'],
  ['imap_port_refused', 'port'],
  ['imap_no_tls', 'port'],
  ['imap_login_refused', 'password'],
]);

/** Returns the problems reported by the server: by field, and the one that concerns no field. */
export function problemsOfError(error: Error | null): { fields: ImapProblems; other: string | null } {
  if (error === null) return { fields: {}, other: null };
  if (!(error instanceof CallError)) return { fields: {}, other: callErrorText(error) };
  if (error.code === 'malformed') {
    const named = fields.filter(field => error.problems.some(({ path }) => path === field));
    return {
      fields: Object.fromEntries(named.map(field => [field, wrong[field]()])),
      other: named.length === 0 ? t('Something failed') : null,
    };
  }
  const field = fieldByCode.get(error.code);
  if (field === undefined) return { fields: {}, other: callErrorText(error) };
  const text =
    error.code === 'imap_unreachable'
      ? t('Couldn’t reach the provider’s mail server. Check the server name and port.')
      : callErrorText(error);
  return { fields: { [field]: text }, other: null };
}
