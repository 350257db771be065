/**
 * Which names may become addresses at sign-up. Shape and reserved names only; whether one is free is the database's
 * answer.
 */

/**
 * Names that mean the service itself to people, to other mail servers (RFC 2142) or to those who issue certificates
 * (CA/Browser Forum baseline requirements §3.2.2.4.4); whoever had one could pose as the service.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'abuse',
  'admin',
  'administrator',
  'all',
  'billing',
  'bounce',
  'bounces',
  'contact',
  'daemon',
  'dmarc',
  'everyone',
  'ftp',
  'help',
  'hostmaster',
  'info',
  'keyfold',
  'legal',
  'list',
  'listserv',
  'mailer-daemon',
  'majordomo',
  'marketing',
  'me',
  'news',
  'no-reply',
  'nobody',
  'noc',
  'noreply',
  'official',
  'owner',
  'postmaster',
  'privacy',
  'root',
  'sales',
  'security',
  'ssl',
  'ssladmin',
  'ssladministrator',
  'sslwebmaster',
  'staff',
  'support',
  'sysadmin',
  'system',
  'team',
  'tls-rpt',
  'tlsrpt',
  'usenet',
  'uucp',
  'webmaster',
  'www',
]);

/** Letters, digits, and single dots, dashes or underscores between them. */
const SHAPE = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;

/** The name as it stands in an address. */
export const normalizeUsername = (username: string): string =>
  username.trim().normalize('NFKC').toLowerCase();

/** Whether a normalised name has the form of a name. */
export const isUsernameShaped = (username: string): boolean =>
  username.length <= 64 && SHAPE.test(username) && !username.includes('..');

/** Whether a normalised name may become an address of the service; dots and the like do not disguise a reserved one. */
export const isAllowedUsername = (username: string): boolean =>
  isUsernameShaped(username) && !RESERVED.has(username) && !RESERVED.has(username.replace(/[._-]/g, ''));
