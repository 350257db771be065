/**
 * Rules for usernames that may become addresses at sign-up. Covers only form and reserved names;
 * the database decides whether a name is free.
 */

/**
 * Names that denote the service itself to people, to other mail servers (RFC 2142) or to
 * certificate authorities (CA/Browser Forum baseline requirements §3.2.2.4.4). An owner of such a
 * name could impersonate the service.
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

/** Letters and digits, separated by single dots, hyphens or underscores. */
const SHAPE = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;

/** Returns the name in the form used in an address. */
export const normalizeUsername = (username: string): string =>
  username.trim().normalize('NFKC').toLowerCase();

/** Returns whether a normalized name has a valid form. */
export const isUsernameShaped = (username: string): boolean =>
  username.length <= 64 && SHAPE.test(username) && !username.includes('..');

/**
 * Returns whether a normalized name may become an address of the service. Separators such as dots
 * don't disguise a reserved name.
 */
export const isAllowedUsername = (username: string): boolean =>
  isUsernameShaped(username) && !RESERVED.has(username) && !RESERVED.has(username.replace(/[._-]/g, ''));
