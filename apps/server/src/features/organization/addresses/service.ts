/**
 * A user's addresses (docs/spec-map.md 7.58, docs/interpretations.md#63, #64 and #91): how many are
 * allowed and at which domains, labels, the on/off switch, the default sender. The first address is
 * permanently the login id, and the main address is the one shown; neither can be removed. The
 * database ensures that a released address never goes to another user.
 */

import { randomInt } from 'node:crypto';
import type { api, InputOf, OwnAddress } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { EMAIL_MAX_CHARACTERS, USERNAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { PLAN_LIMITS } from '../../../base/limits.ts';
import type { MasterKey } from '../../../base/master-key.ts';
import type { Deps } from '../../../context/deps.ts';
import { isDuplicate, type Trx } from '../../../db/pool.ts';
import { isAllowedUsername, isUsernameShaped } from '../../accounts/auth/index.ts';
import { endConnection, listGivenDomains } from '../../accounts/memberships/index.ts';
import { signupDomainsOf } from '../../accounts/sign-up-codes/index.ts';
import { setMainAddress } from '../../accounts/users/index.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import {
  type AddressRow,
  clearDefault,
  deleteAddress,
  deleteAddressesAt,
  findAccount,
  insertAddress,
  listProvedDomains,
  listRows,
  moveCatchall,
  setMain,
  updateAddress,
} from './store.ts';

type AddressDeps = Pick<Deps, 'config' | 'db' | 'masterKey'>;

const LABEL_PURPOSE = 'address label';
const labelContext = (userId: string, address: string): string => `${userId} ${address}`;

const sealLabel = (masterKey: MasterKey, userId: string, address: string, label: string): Buffer | null =>
  label === '' ? null : masterKey.seal(LABEL_PURPOSE, labelContext(userId, address), Buffer.from(label));

const openLabel = (masterKey: MasterKey, userId: string, row: AddressRow): string =>
  row.label_sealed === null
    ? ''
    : masterKey.open(LABEL_PURPOSE, labelContext(userId, row.address), row.label_sealed).toString('utf8');

const nameOf = (address: string): string => address.slice(0, address.lastIndexOf('@'));

/** Input of the rules for one user's addresses. */
type OwnedAddresses = {
  readonly rows: readonly AddressRow[];
  readonly loginAddress: string;
  readonly limit: number;
  /**
   * Domains where the user may create addresses besides the service's: verified ones, and those of
   * an organization that the user manages.
   */
  readonly ownDomains: readonly string[];
};

/**
 * Returns the service's domains where a user may create addresses: those open to new accounts, and
 * those where the user already has one.
 */
const servicesDomains = (config: Deps['config'], { rows }: OwnedAddresses): string[] =>
  config.domains.filter(
    domain =>
      signupDomainsOf(config).includes(domain) || rows.some(({ address }) => domainOf(address) === domain),
  );

async function readOwnedAddresses(db: Deps['db'] | Trx, userId: string): Promise<OwnedAddresses> {
  const account = await findAccount(db, userId);
  if (account === undefined) throw new AppError('not_logged_in');
  return {
    rows: await listRows(db, userId),
    loginAddress: account.kdf_email,
    limit: PLAN_LIMITS[account.plan].addressLimit,
    ownDomains: [
      ...new Set([...(await listProvedDomains(db, userId)), ...(await listGivenDomains(db, userId))]),
    ],
  };
}

const kindOf = ({ loginAddress }: OwnedAddresses, row: AddressRow): OwnAddress['kind'] =>
  row.is_primary ? 'main' : row.address === loginAddress ? 'login' : 'alias';

/** Counts the addresses that count against the plan: those that a user can remove. */
const countUsed = (owned: OwnedAddresses): number =>
  owned.rows.filter(row => kindOf(owned, row) === 'alias').length;

const toOwnAddress = (
  masterKey: MasterKey,
  userId: string,
  owned: OwnedAddresses,
  row: AddressRow,
): OwnAddress => ({
  address: row.address,
  kind: kindOf(owned, row),
  label: openLabel(masterKey, userId, row),
  is_on: row.is_on,
  is_default: row.is_default || (row.is_primary && owned.rows.every(one => !one.is_default)),
  created_at: row.created_at.toISOString(),
});

/** Returns every address of a user, the main one first. */
export async function listAddresses({ db, masterKey }: AddressDeps, userId: string): Promise<OwnAddress[]> {
  const owned = await readOwnedAddresses(db, userId);
  return owned.rows.map(row => toOwnAddress(masterKey, userId, owned, row));
}

/** Returns how many additional addresses a user has and may have, and at which domains. */
export async function getCapabilities({ db, config }: AddressDeps, userId: string) {
  const owned = await readOwnedAddresses(db, userId);
  const used = countUsed(owned);
  return {
    used,
    limit: owned.limit,
    can_create: used < owned.limit,
    can_rotate: used > 0,
    domains: [...servicesDomains(config, owned), ...owned.ownDomains],
  };
}

/** Runs an operation on a user's addresses under the user's lock. */
const withOwnedAddresses = <T>(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  act: (trx: Trx, owned: OwnedAddresses) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async trx => {
    // The mailbox's lock is the user's: two concurrent requests must not both create the last
    // address allowed.
    await lockMailboxes(trx, [userId]);
    return act(trx, await readOwnedAddresses(trx, userId));
  });

function findRow(owned: OwnedAddresses, address: string): AddressRow {
  const row = owned.rows.find(one => one.address === address);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/** Returns an address that its user may remove. Throws not_found, address_kept. */
function findAlias(owned: OwnedAddresses, address: string): AddressRow {
  const row = findRow(owned, address);
  if (kindOf(owned, row) !== 'alias') throw new AppError('address_kept');
  return row;
}

/** Throws domain_refused, username_refused. */
function requireAllowed(config: Deps['config'], owned: OwnedAddresses, address: string): void {
  const isOwn = owned.ownDomains.includes(domainOf(address));
  if (!isOwn && !servicesDomains(config, owned).includes(domainOf(address)))
    throw new AppError('domain_refused');
  // At a user's own domain, no name is reserved for the service.
  const isAllowed = isOwn ? isUsernameShaped(nameOf(address)) : isAllowedUsername(nameOf(address));
  if (!isAllowed || address.length > EMAIL_MAX_CHARACTERS) throw new AppError('username_refused');
}

async function insertFree(trx: Trx, row: Parameters<typeof insertAddress>[1]): Promise<void> {
  try {
    await insertAddress(trx, row);
  } catch (cause) {
    if (isDuplicate(cause)) throw new AppError('address_taken', { cause });
    throw cause;
  }
}

/**
 * Creates and returns an address. Throws domain_refused, username_refused, address_limit_reached,
 * address_taken.
 */
export const createAddress = (deps: AddressDeps, userId: string, given: string): Promise<string> =>
  withOwnedAddresses(deps, userId, async (trx, owned) => {
    const address = normalizeAddress(given);
    requireAllowed(deps.config, owned, address);
    if (countUsed(owned) >= owned.limit) throw new AppError('address_limit_reached');
    await insertFree(trx, { address, user_id: userId });
    return address;
  });

/**
 * Gives a user the address of an invitation, in a transaction of a caller that has locked the
 * organization. Throws address_limit_reached, address_taken.
 */
export async function giveAddress(trx: Trx, userId: string, address: string): Promise<void> {
  await lockMailboxes(trx, [userId]);
  const owned = await readOwnedAddresses(trx, userId);
  if (owned.rows.some(row => row.address === address)) return;
  if (countUsed(owned) >= owned.limit) throw new AppError('address_limit_reached');
  await insertFree(trx, { address, user_id: userId });
}

/**
 * Creates an address at a verified domain of the user. Throws the same errors as createAddress, and
 * not_found for another domain.
 */
export async function createDomainAddress(
  deps: AddressDeps,
  userId: string,
  { username, domain }: InputOf<typeof api.domains.address>,
): Promise<string> {
  const { ownDomains } = await readOwnedAddresses(deps.db, userId);
  const address = normalizeAddress(`${username}@${domain}`);
  if (!ownDomains.includes(domainOf(address))) throw new AppError('not_found');
  return createAddress(deps, userId, address);
}

/** Changes the given properties of an address. Throws not_found, address_kept. */
export const changeAddress = (
  deps: AddressDeps,
  userId: string,
  input: InputOf<typeof api.addresses.change>,
): Promise<OwnAddress> =>
  withOwnedAddresses(deps, userId, async (trx, owned) => {
    const { address } = findRow(owned, normalizeAddress(input.address));
    if (input.is_on === false) findAlias(owned, address);
    if (input.is_on === false && input.is_default) throw new AppError('address_kept');
    if (input.is_default) await clearDefault(trx, userId);
    const { label, is_on } = input;
    // As the default sender, an address that receives nothing would attract replies that cannot
    // arrive.
    const is_default = is_on === false ? false : input.is_default;
    const change = {
      ...(label === undefined ? {} : { label_sealed: sealLabel(deps.masterKey, userId, address, label) }),
      ...(is_on === undefined ? {} : { is_on }),
      ...(is_default === undefined ? {} : { is_default }),
    };
    if (Object.keys(change).length > 0) await updateAddress(trx, userId, address, change);
    const after = await readOwnedAddresses(trx, userId);
    return toOwnAddress(deps.masterKey, userId, after, findRow(after, address));
  });

const getMain = (owned: OwnedAddresses): string =>
  owned.rows.find(row => row.is_primary)?.address ?? owned.loginAddress;

/**
 * Removes an address. Its role as a domain's catch-all goes to the main address. Throws not_found,
 * address_kept.
 */
export const removeAddress = (deps: AddressDeps, userId: string, given: string): Promise<void> =>
  withOwnedAddresses(deps, userId, async (trx, owned) => {
    const { address } = findAlias(owned, normalizeAddress(given));
    await moveCatchall(trx, userId, address, getMain(owned));
    await deleteAddress(trx, userId, address);
  });

/** Replaces an alias with another address, which takes over its label, its switch and its roles. */
async function replaceAlias(
  { masterKey }: AddressDeps,
  trx: Trx,
  userId: string,
  row: AddressRow,
  address: string,
): Promise<void> {
  await deleteAddress(trx, userId, row.address);
  await insertFree(trx, {
    address,
    user_id: userId,
    label_sealed: sealLabel(masterKey, userId, address, openLabel(masterKey, userId, row)),
    is_on: row.is_on,
    is_default: row.is_default,
  });
  await moveCatchall(trx, userId, row.address, address);
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz';
const SIGNS = `${LETTERS}23456789`;
const RANDOM_NAME_CHARACTERS = 12;
const RANDOM_END_CHARACTERS = 6;

/** Returns an unused, unguessable name without look-alike characters. */
const randomName = (): string =>
  Array.from({ length: RANDOM_NAME_CHARACTERS }, (_, index) => {
    const from = index === 0 ? LETTERS : SIGNS;
    return from.charAt(randomInt(from.length));
  }).join('');

/** Replaces an alias with a new random address and returns it. Throws not_found, address_kept. */
export const rotateAddress = (deps: AddressDeps, userId: string, given: string): Promise<string> =>
  withOwnedAddresses(deps, userId, async (trx, owned) => {
    const row = findAlias(owned, normalizeAddress(given));
    const address = `${randomName()}@${domainOf(row.address)}`;
    await replaceAlias(deps, trx, userId, row, address);
    return address;
  });

/** Throws not_found, address_kept, domain_refused, username_refused, address_taken. */
export const moveAddress = (
  deps: AddressDeps,
  userId: string,
  input: InputOf<typeof api.domains.change>,
): Promise<string> =>
  withOwnedAddresses(deps, userId, async (trx, owned) => {
    const row = findAlias(owned, normalizeAddress(input.address));
    const address = normalizeAddress(`${nameOf(row.address)}@${input.domain}`);
    if (address === row.address) return address;
    requireAllowed(deps.config, owned, address);
    await replaceAlias(deps, trx, userId, row, address);
    return address;
  });

/**
 * Makes the user's address at a domain the main one, creating it if there is none; the login id
 * stays (docs/interpretations.md#11). Throws domain_refused, username_refused,
 * address_limit_reached, address_taken.
 */
export const changeMainDomain = (deps: AddressDeps, userId: string, given: string): Promise<string> =>
  withOwnedAddresses(deps, userId, async (trx, owned) => {
    const main = getMain(owned);
    const at = (name: string): string => normalizeAddress(`${name}@${given}`);
    const wanted = [at(nameOf(main)), at(nameOf(owned.loginAddress))];
    const known = wanted.find(address => owned.rows.some(row => row.address === address));
    const address = known ?? wanted[0] ?? main;
    if (known === undefined) {
      requireAllowed(deps.config, owned, address);
      // The former main address stays, and from now on counts against the plan unless it is the
      // login id.
      if (main !== owned.loginAddress && countUsed(owned) >= owned.limit)
        throw new AppError('address_limit_reached');
      await insertFree(trx, { address, user_id: userId });
    }
    await updateAddress(trx, userId, address, { is_on: true });
    await setMain(trx, userId, address);
    await setMainAddress(trx, userId, address);
    return address;
  });

/** Returns a name that was never in use, similar to the lost one. */
const nameInPlaceOf = (name: string): string =>
  isAllowedUsername(name) && name.length + 1 + RANDOM_END_CHARACTERS <= USERNAME_MAX_CHARACTERS
    ? `${name}.${randomName().slice(0, RANDOM_END_CHARACTERS)}`
    : randomName();

/**
 * Returns the address that takes over when those at a domain are removed: the login id, the main
 * address or one of the service's. Users without any get one at the first domain open to sign-ups.
 */
async function getRefuge(
  { config }: Pick<Deps, 'config'>,
  trx: Trx,
  userId: string,
  owned: OwnedAddresses,
  domain: string,
): Promise<string> {
  const others = owned.rows.filter(row => domainOf(row.address) !== domain);
  const found =
    others.find(row => row.address === owned.loginAddress) ??
    others.find(row => row.is_primary) ??
    others.find(row => config.domains.includes(domainOf(row.address)));
  if (found !== undefined) return found.address;
  const address = `${nameInPlaceOf(nameOf(owned.loginAddress))}@${signupDomainsOf(config)[0]}`;
  await insertFree(trx, { address, user_id: userId });
  return address;
}

/** Removes all of a user's addresses at a domain that they lost; another address takes over. */
export async function loseAddressesAt(
  deps: Pick<Deps, 'config'>,
  trx: Trx,
  userId: string,
  domain: string,
): Promise<void> {
  const owned = await readOwnedAddresses(trx, userId);
  const lost = owned.rows.filter(row => domainOf(row.address) === domain);
  if (lost.length === 0) return;
  const refuge = await getRefuge(deps, trx, userId, owned, domain);
  if (domainOf(getMain(owned)) === domain) {
    await updateAddress(trx, userId, refuge, { is_on: true });
    await setMain(trx, userId, refuge);
    await setMainAddress(trx, userId, refuge);
  }
  for (const { address } of lost) await moveCatchall(trx, userId, address, refuge);
  await deleteAddressesAt(trx, userId, domain);
}

/**
 * Disconnects a domain from an organization: `members`, all but its holder, lose their addresses at
 * it. The caller has locked their mailboxes after the organization (lockMembersAt).
 */
export async function disconnectDomain(
  deps: Pick<Deps, 'config'>,
  trx: Trx,
  members: readonly string[],
  domain: string,
): Promise<void> {
  for (const member of members) await loseAddressesAt(deps, trx, member, domain);
  await endConnection(trx, domain);
}

/** Returns a user's addresses and which of them is the main one, for rules about domains. */
export async function findOwnAddresses(
  db: Deps['db'] | Trx,
  userId: string,
): Promise<{ readonly main: string; readonly all: readonly string[] }> {
  const owned = await readOwnedAddresses(db, userId);
  return { main: getMain(owned), all: owned.rows.map(row => row.address) };
}
