/**
 * The host names for which the service gets certificates: its own, and those that mail standards
 * derive from a domain. A derived name may belong to another server, so it is ordered only once its
 * DNS records lead here.
 */
import type { Config } from '../../../config/config.ts';
import { HOSTNAME } from '../../../config/mx.ts';

/** Prefixes of names under a domain: RFC 8461 §3.3, and OpenPGP Web Key Directory. */
const MTA_STS = 'mta-sts.';
const OPENPGPKEY = 'openpgpkey.';
/** Longest name in a certificate (RFC 5280, upper bound of a common name). */
const NAME_MAX_CHARACTERS = 64;

type Names = Pick<Config, 'domains' | 'hostname' | 'mtaSts' | 'mxNames' | 'publicUrl'>;

/** Returns the names of the service itself: of the web client and of the mail servers. */
export function ownNames({ publicUrl, hostname, mxNames }: Names): string[] {
  const names = [new URL(publicUrl).hostname.toLowerCase(), hostname, ...mxNames];
  return [...new Set(names)].filter(name => HOSTNAME.test(name));
}

/** Returns the names under the domains of the service and under verified domains of users. */
export function derivedNames(config: Names, verifiedDomains: readonly string[]): string[] {
  const own = new Set(ownNames(config));
  const prefixes = config.mtaSts === 'none' ? [OPENPGPKEY] : [MTA_STS, OPENPGPKEY];
  const names = [...config.domains, ...verifiedDomains].flatMap(domain =>
    prefixes.map(prefix => prefix + domain),
  );
  return [...new Set(names)].filter(name => !own.has(name) && name.length <= NAME_MAX_CHARACTERS);
}
