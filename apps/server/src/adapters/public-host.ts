/**
 * Which addresses a name that a stranger gave stands for, all of them places of the public Internet. Whoever connects goes to
 * the very address that was checked, so that a name cannot change its meaning in between (DNS rebinding).
 */
import { isIP } from 'node:net';
import { type Dns, isAbsence } from './dns.ts';
import { isPublicAddress } from './public-address.ts';

/** There is no way to a host. Its text never names the host. */
export class HostRefusal extends Error {
  override readonly name = 'HostRefusal';
  /** There is none of this name; it is not for us; nobody could be asked. */
  readonly why: 'absent' | 'private' | 'unanswered';

  constructor(message: string, why: HostRefusal['why']) {
    super(message);
    this.why = why;
  }
}

const ADDRESSES_TRIED = 3;
/** Names that mean something to this machine or its network alone. */
const HOME_NAMES = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|arpa|onion)$/;
/** Names that mean nothing anywhere (RFC 6761). */
const NO_NAMES = /(?:^|\.)invalid$/;
const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** Whether a host may be a public one, as far as its text tells; what a name means is looked up when it is asked. */
export const isPublicHostText = (host: string): boolean =>
  isIP(host) === 0
    ? HOST_NAME.test(host) && !HOME_NAMES.test(host) && !NO_NAMES.test(host)
    : isPublicAddress(host);

/**
 * The addresses of a host, three at most. Throws HostRefusal when one of them is private, or when there is none.
 * `isPrivateAllowed` lets the operator's own network in.
 */
export async function lookUpHost(dns: Dns, host: string, isPrivateAllowed = false): Promise<string[]> {
  if (NO_NAMES.test(host)) throw new HostRefusal('No such name', 'absent');
  if (!isPrivateAllowed && !isPublicHostText(host))
    throw new HostRefusal(
      'Not a public place',
      isIP(host) !== 0 || HOME_NAMES.test(host) ? 'private' : 'absent',
    );
  if (isIP(host) !== 0) return [host];
  if (isPrivateAllowed && host === 'localhost') return ['127.0.0.1'];
  const answers = await Promise.allSettled(['A', 'AAAA'].map(type => dns.resolve(host, type)));
  const addresses = answers
    .flatMap(one => (one.status === 'fulfilled' ? one.value : []))
    .filter(answer => typeof answer === 'string');
  if (addresses.length === 0) {
    const isAbsent = answers.every(one => one.status === 'fulfilled' || isAbsence(one.reason));
    throw isAbsent ? new HostRefusal('No such name', 'absent') : new HostRefusal('No answer', 'unanswered');
  }
  if (!isPrivateAllowed && !addresses.every(isPublicAddress))
    throw new HostRefusal('A private address', 'private');
  return addresses.slice(0, ADDRESSES_TRIED);
}
