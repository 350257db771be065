/**
 * Whether this service takes mail for an address: the whole normalised address counts, never a part of it, so that no
 * form of `victim%elsewhere@ours` is ever anything but an unknown name. The SMTP room turns the answers into replies.
 */
import { normaliseAddress, withoutTag } from '@keyfold/mail/address-form';
import type { Deps } from '../../deps.ts';
import { findDomainOwnerAddress, findReceiversOf, type Owner } from '../accounts/service.ts';
import { createGroupLookup } from './group-lookup.ts';
import { findPostmasterAddress } from './store.ts';

export type RecipientDecision =
  | { readonly kind: 'accepted'; readonly owner: Owner }
  /** Not an address of a domain of ours. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'suspended' }
  /** No room for a message of the announced size. */
  | { readonly kind: 'full' };

/** Decides about one recipient; `sizeBytes` is what the sender announced, 0 when it did not. */
type DecideRecipient = (given: string, sizeBytes: number) => Promise<RecipientDecision>;

/** Names of a domain behind which there is a person (RFC 2142): reports on mail, on TLS and on abuse come to them. */
const STAND_INS: ReadonlySet<string> = new Set(['abuse', 'postmaster']);

type DirectoryDeps = Pick<Deps, 'db' | 'config'>;

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

// RFC 5321 §4.5.1 demands it of the postmaster.
const findStandIn = async ({ db, config }: DirectoryDeps, address: string): Promise<string | null> => {
  const [name, domain = ''] = (withoutTag(address) ?? address).split('@');
  if (name === undefined || !STAND_INS.has(name)) return null;
  return config.domains.includes(domain) ? findPostmasterAddress(db) : findDomainOwnerAddress(db, domain);
};

const isKept = async ({ db, config }: DirectoryDeps, domain: string): Promise<boolean> =>
  config.domains.includes(domain) || (await findDomainOwnerAddress(db, domain)) !== null;

/**
 * Those of some addresses, normalised and without keys here, that are at a domain of ours and that nobody takes mail for:
 * what is sent to them would be refused as `unknown`.
 */
export const findUnknown = async (
  deps: DirectoryDeps,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> => {
  const domains = [...new Set(addresses.map(domainOf))];
  const areKept = await Promise.all(domains.map(domain => isKept(deps, domain)));
  const kept = new Set(domains.filter((_, at) => areKept[at]));
  const inside = [...new Set(addresses)].filter(address => kept.has(domainOf(address)));
  if (inside.length === 0) return new Set();
  const receivers = await findReceiversOf(deps.db, inside);
  const nobodys = inside.filter(address => !receivers.has(address));
  const standIns = await Promise.all(nobodys.map(address => findStandIn(deps, address)));
  return new Set(nobodys.filter((_, at) => standIns[at] === null));
};

export const createRecipientDesk = (deps: DirectoryDeps): DecideRecipient => {
  const { db, config } = deps;
  const findOwner = createGroupLookup((addresses: readonly string[]) => findReceiversOf(db, addresses));

  const findOwnerOrStandIn = async (address: string): Promise<Owner | undefined> => {
    const owner = await findOwner(address);
    if (owner !== undefined) return owner;
    const standIn = await findStandIn(deps, address);
    return standIn === null ? undefined : findOwner(standIn);
  };

  return async (given, sizeBytes) => {
    // RFC 5321 §4.1.1.3: `postmaster` alone means this machine's.
    const address = normaliseAddress(given.includes('@') ? given : `${given}@${config.domains[0]}`);
    const owner = await findOwnerOrStandIn(address);
    if (owner === undefined) return { kind: (await isKept(deps, domainOf(address))) ? 'unknown' : 'foreign' };
    if (owner.isOff) return { kind: 'unknown' };
    if (owner.isSuspended) return { kind: 'suspended' };
    const freeBytes = owner.storageLimitBytes - owner.usedBytes;
    return freeBytes <= 0 || freeBytes < sizeBytes ? { kind: 'full' } : { kind: 'accepted', owner };
  };
};
