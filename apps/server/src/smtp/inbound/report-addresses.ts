/**
 * Addresses to which other servers report: those that exist for reports alone, whose mail is read by the server and kept by
 * nobody, and those of people who are told of trouble (RFC 2142), whose mail is read besides.
 */
import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import type { Config } from '../../config/config.ts';

/** No user of a service domain can have these names (features/accounts/auth/usernames.ts). */
const REPORTS: ReadonlySet<string> = new Set(['dmarc', 'tls-rpt', 'tlsrpt']);
const PEOPLE: ReadonlySet<string> = new Set(['abuse', 'postmaster']);

/** Tells what an address is for; null for all others. */
export const createReportAddresses =
  ({ domains }: Pick<Config, 'domains'>) =>
  (given: string): 'people' | 'reports' | null => {
    const address = normalizeAddress(given);
    const [name = '', domain = ''] = directoryNameOf(address).split('@');
    if (PEOPLE.has(name)) return 'people';
    return REPORTS.has(name) && domains.includes(domain) ? 'reports' : null;
  };
