// What is wrong with the login of a mailbox at another provider, by the field that it is about: seen before anything is asked,
// or said by the server.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { isPort, readImapHost } from './imap-host.ts';
import type { ImapLoginFields } from './imap-login.ts';

const fields = ['user', 'password', 'host', 'port'] as const;
export type ImapField = (typeof fields)[number];
export type ImapProblems = Readonly<Partial<Record<ImapField, string>>>;

/** The first field that something is wrong with. */
export const firstField = (problems: ImapProblems): ImapField | undefined =>
  fields.find(field => problems[field] !== undefined);

const wrong: Readonly<Record<ImapField, () => string>> = {
  user: () => t('This cannot be a user name there'),
  password: () => t('This cannot be a password there'),
  host: () => t('This is no name of a mail server. It looks like imap.example.org'),
  port: () => t('A port is a number between 1 and 65535. Mail servers use 993, or 143 with STARTTLS'),
};

/** What is seen without asking. */
export function problemsOf({ user, password, host, port }: ImapLoginFields): ImapProblems {
  return {
    ...(user.trim() === '' ? { user: t('Write the address or user name that you have there') } : {}),
    ...(password === '' ? { password: t('Write the password that you have there') } : {}),
    ...(host.trim() === ''
      ? { host: t('Write the name of the mail server') }
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

/** What the server says: of fields, and what is about none of them. */
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
  const more = error.code === 'imap_unreachable' ? `. ${t('Are its name and the port right?')}` : '';
  return { fields: { [field]: `${callErrorText(error)}${more}` }, other: null };
}
