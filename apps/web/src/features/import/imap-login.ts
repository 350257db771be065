// Where a mailbox at another provider is, and what opens it, as it was typed.
import { readImapHost } from './imap-host.ts';

export type ImapLoginFields = {
  user: string;
  password: string;
  host: string;
  port: string;
  security: 'starttls' | 'tls';
  /** Its owner wrote another host than was proposed. */
  hasOwnHost: boolean;
};

export const emptyLogin: ImapLoginFields = {
  user: '',
  password: '',
  host: '',
  port: '993',
  security: 'tls',
  hasOwnHost: false,
};

/** The usual port of each. */
export const ports = { tls: '993', starttls: '143' } as const;

/** The login with what was meant: the host of a pasted address, and the port in it with the encryption that goes by it. */
export function tidyLogin(login: ImapLoginFields): ImapLoginFields {
  const found = readImapHost(login.host);
  if (found === null) return login;
  const { host, port } = found;
  const security = (['tls', 'starttls'] as const).find(one => ports[one] === port) ?? login.security;
  return { ...login, host, port: port ?? login.port, security };
}
