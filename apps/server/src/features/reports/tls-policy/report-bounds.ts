/**
 * Limits how many TLS reports go to one address, and to one domain, within a day. The owner of a
 * domain can name any address for its reports (RFC 8460 requires no consent), and so have one
 * message sent there for each message that reaches that domain's servers. A domain's own address is
 * not limited.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { FixedWindowLimiter } from '../../../base/fixed-window-limiter.ts';

const PER_ADDRESS_MAX = 20;
/** Services that process reports for others receive the reports of many domains at one domain. */
const PER_DOMAIN_MAX = 500;
const KEYS_MAX = 20_000;

/** Creates a limiter for daily shares. */
export type CountDays = (name: string, points: number, keysMax: number) => Pick<FixedWindowLimiter, 'take'>;

export type ReportBounds = {
  /**
   * Counts a report about a domain to an address; returns false when the address has used its
   * share.
   */
  readonly mayMail: (aboutDomain: string, to: string) => boolean;
};

const isWithin = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`);

export function createReportBounds(count: CountDays): ReportBounds {
  const addresses = count('reports to an address', PER_ADDRESS_MAX, KEYS_MAX);
  const domains = count('reports to a domain', PER_DOMAIN_MAX, KEYS_MAX);
  return {
    mayMail: (aboutDomain, to) => {
      const address = to.toLowerCase();
      const domain = domainOf(address);
      if (isWithin(aboutDomain, domain) || isWithin(domain, aboutDomain)) return true;
      return addresses.take(address) && domains.take(domain);
    },
  };
}
