/**
 * How many reports on TLS go to one address, and to one domain, within a day. Whoever has a domain may name anybody's address
 * for its reports (RFC 8460 asks nobody), and get one mail sent there for each mail that comes to that domain's servers.
 * A domain's own address is not bounded. Counted in memory, each process for itself.
 */
import { createCountedWindows } from '../../counted-windows.ts';

const DAY_MS = 86_400_000;
const PER_ADDRESS_MAX = 20;
/** Services that read reports for others have many domains' at one domain of theirs. */
const PER_DOMAIN_MAX = 500;
const KEYS_MAX = 20_000;

export type ReportBounds = {
  /** Counts a report about a domain to an address; false when that has had its share. */
  readonly mayMail: (aboutDomain: string, to: string) => boolean;
};

const isWithin = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`);

/** Bounds by this clock, milliseconds. */
export const createReportBounds = (now: () => number): ReportBounds => {
  const count = (points: number) =>
    createCountedWindows({ points, windowMs: DAY_MS, keysMax: KEYS_MAX, now });
  const [addresses, domains] = [count(PER_ADDRESS_MAX), count(PER_DOMAIN_MAX)];
  return {
    mayMail: (aboutDomain, to) => {
      const address = to.toLowerCase();
      const domain = address.slice(address.lastIndexOf('@') + 1);
      if (isWithin(aboutDomain, domain) || isWithin(domain, aboutDomain)) return true;
      return addresses.take(address) && domains.take(domain);
    },
  };
};
