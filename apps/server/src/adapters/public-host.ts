/**
 * Resolves an untrusted host name to addresses that are all on the public internet. Callers connect
 * to exactly the address that was checked, which prevents DNS rebinding.
 */
import { isIP } from 'node:net';
import { type Dns, isAbsence } from './dns.ts';
import { isPublicAddress } from './public-address.ts';

/** A host cannot be used. The message never contains the host. */
export class HostRefusal extends Error {
  override readonly name = 'HostRefusal';
  /** The host does not exist; it is not allowed; DNS could not be queried. */
  readonly why: 'absent' | 'private' | 'unanswered';

  constructor(message: string, why: HostRefusal['why']) {
    super(message);
    this.why = why;
  }
}

const ADDRESSES_TRIED = 3;
/** Names that are only meaningful on this machine or its network. */
const HOME_NAMES = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|arpa|onion)$/;
/** Names that are never valid (RFC 6761). */
const NO_NAMES = /(?:^|\.)invalid$/;
const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/**
 * Returns whether a host looks public judging by its text only; it is resolved when it is
 * requested.
 */
export const isPublicHostText = (host: string): boolean =>
  isIP(host) === 0
    ? HOST_NAME.test(host) && !HOME_NAMES.test(host) && !NO_NAMES.test(host)
    : isPublicAddress(host);

/**
 * Returns at most three addresses of a host. Throws HostRefusal when one of them is private, or
 * when there is none. `isPrivateAllowed` permits the operator's own network.
 */
export async function lookUpHost(dns: Dns, host: string, isPrivateAllowed = false): Promise<string[]> {
  if (NO_NAMES.test(host)) throw new HostRefusal('Host name not found', 'absent');
  if (!isPrivateAllowed && !isPublicHostText(host))
    throw new HostRefusal(
      'Not a public host',
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
    throw isAbsent
      ? new HostRefusal('Host name not found', 'absent')
      : new HostRefusal('Host name lookup failed', 'unanswered');
  }
  if (!isPrivateAllowed && !addresses.every(isPublicAddress))
    throw new HostRefusal('Private address', 'private');
  return addresses.slice(0, ADDRESSES_TRIED);
}
