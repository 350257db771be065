/**
 * The operator's limits on the mailboxes of other providers that users may import from. Base layer:
 * opens no connection.
 */
import { z } from 'zod';

export type ImapConfig = {
  /** Ports at which mailboxes may be read. */
  readonly imapPorts: readonly number[];
  /** Whether mailboxes may be at loopback and private addresses. */
  readonly isPrivateImapAllowed: boolean;
};

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

/** Environment variables. */
export const imapEnvironment = {
  KEYFOLD_IMAP_PORTS: z
    .string()
    .default('993,143')
    .transform(text => text.split(',').map(port => port.trim()))
    .refine(ports => ports.every(isPort), { message: 'must be a comma list of ports between 1 and 65535' }),
  KEYFOLD_ALLOW_PRIVATE_IMAP: z
    .enum(['true', 'false'], { message: 'must be true or false' })
    .default('false'),
} as const;

/** Reads the settings. */
export const readImapConfig = (given: {
  readonly KEYFOLD_IMAP_PORTS: readonly string[];
  readonly KEYFOLD_ALLOW_PRIVATE_IMAP: 'false' | 'true';
}): ImapConfig => ({
  imapPorts: Object.freeze(given.KEYFOLD_IMAP_PORTS.map(Number)),
  isPrivateImapAllowed: given.KEYFOLD_ALLOW_PRIVATE_IMAP === 'true',
});
