/**
 * Decides whether this service accepts mail for an address. Only the whole normalized address
 * counts, never a part of it, so that every form of `victim%elsewhere@ours` is just an unknown
 * name. The SMTP layer turns the results into replies.
 */
import { directoryNameOf, domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import { createGroupLookup } from '../../../db/group-lookup.ts';
import {
  findDomainOwnerAddress,
  findDomainOwnerAddresses,
  findReceiversOf,
  type Owner,
} from '../../accounts/users/index.ts';
import { findPostmaster } from './store.ts';

export type RecipientDecision =
  /** `isStandIn`: a role address that belongs to no user; the owner answers for the domain. */
  | { readonly kind: 'accepted'; readonly owner: Owner; readonly isStandIn: boolean }
  /** Not an address of one of our domains. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'suspended' }
  /** No space for a message of the announced size. */
  | { readonly kind: 'full' };

/** Decides about one recipient. `sizeBytes` is the size that the sender announced, or 0. */
type DecideRecipient = (given: string, sizeBytes: number) => Promise<RecipientDecision>;

/**
 * Role addresses that must reach a person (RFC 2142): they receive reports on mail, TLS and abuse.
 */
const STAND_INS: ReadonlySet<string> = new Set(['abuse', 'postmaster']);

type DirectoryDeps = Pick<Deps, 'db' | 'config'>;

// RFC 5321 §4.5.1 requires this for the postmaster.
function isStandInName(address: string): boolean {
  const [name = ''] = directoryNameOf(address).split('@');
  return STAND_INS.has(name);
}

async function findStandIn({ db, config }: DirectoryDeps, address: string): Promise<string | null> {
  if (!isStandInName(address)) return null;
  const domain = domainOf(address);
  return config.domains.includes(domain)
    ? ((await findPostmaster(db))?.address ?? null)
    : findDomainOwnerAddress(db, domain);
}

const isKept = async ({ db, config }: DirectoryDeps, domain: string): Promise<boolean> =>
  config.domains.includes(domain) || (await findDomainOwnerAddress(db, domain)) !== null;

/**
 * Returns those of the given addresses (normalized, without keys here) that are at one of our
 * domains but have no recipient: mail to them would be rejected as `unknown`.
 */
export async function findUnknown(
  deps: DirectoryDeps,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const { db, config } = deps;
  const isOurs = (domain: string): boolean => config.domains.includes(domain);
  const others = [...new Set(addresses.map(domainOf))].filter(domain => !isOurs(domain));
  const owners = await findDomainOwnerAddresses(db, others);
  const inside = [...new Set(addresses)].filter(address => {
    const domain = domainOf(address);
    return isOurs(domain) || owners.has(domain);
  });
  if (inside.length === 0) return new Set();
  const receivers = await findReceiversOf(db, inside);
  const nobodys = inside.filter(address => !receivers.has(address));
  const isPostmasterNeeded = nobodys.some(address => isStandInName(address) && isOurs(domainOf(address)));
  const postmaster = isPostmasterNeeded ? await findPostmaster(db) : null;
  // If a domain has an owner, the owner receives mail for its role addresses.
  return new Set(
    nobodys.filter(address => !isStandInName(address) || (isOurs(domainOf(address)) && postmaster === null)),
  );
}

export function createRecipientResolver(deps: DirectoryDeps): DecideRecipient {
  const { db, config } = deps;
  const findOwner = createGroupLookup((addresses: readonly string[]) => findReceiversOf(db, addresses));

  const findOwnerOrStandIn = async (address: string) => {
    const own = await findOwner(address);
    if (own !== undefined) return { owner: own, isStandIn: false };
    const standIn = await findStandIn(deps, address);
    return { owner: standIn === null ? undefined : await findOwner(standIn), isStandIn: true };
  };

  return async (given, sizeBytes) => {
    // RFC 5321 §4.1.1.3: `postmaster` without a domain means this server's.
    const address = normalizeAddress(given.includes('@') ? given : `${given}@${config.domains[0]}`);
    const { owner, isStandIn } = await findOwnerOrStandIn(address);
    if (owner === undefined) return { kind: (await isKept(deps, domainOf(address))) ? 'unknown' : 'foreign' };
    if (owner.isOff) return { kind: 'unknown' };
    if (owner.isSuspended) return { kind: 'suspended' };
    const freeBytes = owner.storageLimitBytes - owner.usedBytes;
    return freeBytes <= 0 || freeBytes < sizeBytes
      ? { kind: 'full' }
      : { kind: 'accepted', owner, isStandIn };
  };
}
