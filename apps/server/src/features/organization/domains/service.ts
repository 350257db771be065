/**
 * Custom domains of users (docs/spec-map.md 4, 5, 7; docs/interpretations.md#11, #64, #65 and #91):
 * claiming and removing them, their records and health, catch-all, primary and main. claims.ts
 * applies the results of DNS checks.
 */
import { randomBytes } from 'node:crypto';
import type { DomainInfo, DomainRecord } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { asciiDomain, domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { isValidAddress } from '@keyfold/mail/addresses';
import { PLAN_LIMITS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { isConnected } from '../../accounts/memberships/index.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { forgetKeys, keysOfDomain, makeNextKey } from '../../outbound/delivery/index.ts';
import { changeMainDomain, findOwnAddresses, loseAddressesAt } from '../addresses/index.ts';
import { lookAtClaim } from './claims.ts';
import { type Finding, readFindings } from './findings.ts';
import { type Expected, expectedRecords, OWNERSHIP_PREFIX } from './records.ts';
import {
  type ClaimRow,
  clearPrimary,
  deleteClaim,
  findClaim,
  findPlan,
  insertClaim,
  listClaimants,
  listClaims,
  updateClaim,
} from './store.ts';

const TOKEN_BYTES = 16;

/** Returns the stored form of a domain: punycode, lowercase, without a trailing dot. */
const normalizeDomain = (given: string): string =>
  asciiDomain(given.trim().normalize('NFKC').toLowerCase().replace(/\.$/, ''));

const STRICT_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * Throws domain_invalid when the input is not a domain, or is one of the service's own domains or a
 * subdomain of one.
 */
function requireClaimable({ domains }: Deps['config'], domain: string): void {
  const isServices = domains.some(own => domain === own || domain.endsWith(`.${own}`));
  if (isServices || !STRICT_NAME.test(domain) || !isValidAddress(`postmaster@${domain}`))
    throw new AppError('domain_invalid');
}

/** Returns the caller's claim. Throws not_found. */
async function getClaim(db: Deps['db'] | Trx, userId: string, given: string): Promise<ClaimRow> {
  const claim = await findClaim(db, userId, normalizeDomain(given));
  if (claim === undefined) throw new AppError('not_found');
  return claim;
}

function requireProved(claim: ClaimRow): void {
  if (claim.verified_at === null) throw new AppError('domain_unproved');
}

function toRecord(expected: Expected, finding: Finding | undefined): DomainRecord {
  const { host, is_required, name, priority, purpose, type, value } = expected;
  const { state = 'waiting', ok = false, found = [], advice = 'add' } = finding ?? {};
  return {
    purpose,
    type,
    name,
    host,
    value,
    ...(priority === undefined ? {} : { priority }),
    found: [...found],
    ok,
    state,
    ...(state === 'found' ? {} : { advice }),
    is_required,
  };
}

async function toInfo(
  deps: Deps,
  claim: ClaimRow,
  own: Awaited<ReturnType<typeof findOwnAddresses>>,
): Promise<DomainInfo> {
  const { domain } = claim;
  const findings = readFindings(claim.findings);
  const expected = expectedRecords(deps.config, claim, await keysOfDomain(deps, domain));
  return {
    domain,
    verified: claim.verified_at !== null,
    primary: claim.is_primary,
    main: domainOf(own.main) === domain,
    catchall: claim.catchall,
    healthy: claim.is_healthy,
    checked_at: claim.checked_at?.toISOString() ?? null,
    verified_at: claim.verified_at?.toISOString() ?? null,
    missing_since: claim.missing_since?.toISOString() ?? null,
    addresses: own.all.filter(address => domainOf(address) === domain),
    records: expected.filter(({ isShown }) => isShown).map(one => toRecord(one, findings[one.key])),
  };
}

/** Returns all domains of a user without querying DNS. */
export async function listDomains(deps: Deps, userId: string): Promise<DomainInfo[]> {
  const own = await findOwnAddresses(deps.db, userId);
  return Promise.all((await listClaims(deps.db, userId)).map(claim => toInfo(deps, claim, own)));
}

/** Returns one domain without querying DNS. Throws not_found. */
export async function getDomain(deps: Deps, userId: string, given: string): Promise<DomainInfo> {
  const claim = await getClaim(deps.db, userId, given);
  return toInfo(deps, claim, await findOwnAddresses(deps.db, userId));
}

/** Returns one domain after querying DNS. Throws not_found. */
export async function checkDomain(deps: Deps, userId: string, given: string): Promise<DomainInfo> {
  const claim = await getClaim(deps.db, userId, given);
  await lookAtClaim(deps, claim, claim.token, claim.findings);
  return getDomain(deps, userId, claim.domain);
}

/** Returns the record that proves ownership of a domain. Throws not_found. */
export async function getValidationRecord(deps: Deps, userId: string, given: string) {
  const { domain, token, verified_at } = await getClaim(deps.db, userId, given);
  return { type: 'TXT' as const, name: domain, host: '@', value: token, verified: verified_at !== null };
}

/** Claims a domain. Throws domain_invalid, domain_taken, domain_limit_reached. */
export async function registerDomain(deps: Deps, userId: string, given: string): Promise<DomainInfo> {
  const { db, clock, config } = deps;
  const domain = normalizeDomain(given);
  requireClaimable(config, domain);
  await db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    const claims = await listClaims(trx, userId);
    if (claims.some(claim => claim.domain === domain)) throw new AppError('domain_taken');
    const account = await findPlan(trx, userId);
    if (claims.length >= PLAN_LIMITS[account?.plan ?? 'free'].domainLimit)
      throw new AppError('domain_limit_reached');
    const token = `${OWNERSHIP_PREFIX}${randomBytes(TOKEN_BYTES).toString('hex')}`;
    await insertClaim(trx, { userId, domain, token, now: clock.now() });
  });
  return getDomain(deps, userId, domain);
}

/**
 * Removes a domain with its addresses. Throws not_found, domain_primary, domain_main,
 * domain_in_use.
 */
export async function removeDomain(deps: Deps, userId: string, given: string): Promise<void> {
  const isUnclaimed = await deps.db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    const claim = await getClaim(trx, userId, given);
    const { domain, is_primary } = claim;
    if (is_primary) throw new AppError('domain_primary');
    if (domainOf((await findOwnAddresses(trx, userId)).main) === domain) throw new AppError('domain_main');
    if (claim.verified_at !== null && (await isConnected(trx, domain))) throw new AppError('domain_in_use');
    await loseAddressesAt(deps, trx, userId, domain);
    await deleteClaim(trx, userId, domain);
    return (await listClaimants(trx, domain)).length === 0;
  });
  if (isUnclaimed) await forgetKeys(deps, normalizeDomain(given));
}

/**
 * Makes a proved domain the primary one. One of the service's own domains clears the primary
 * domain. Throws not_found, domain_unproved.
 */
export const setPrimary = (deps: Deps, userId: string, given: string): Promise<string> =>
  deps.db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    const domain = normalizeDomain(given);
    const isServices = deps.config.domains.includes(domain);
    const claim = isServices ? null : await getClaim(trx, userId, domain);
    if (claim !== null) requireProved(claim);
    await clearPrimary(trx, userId);
    if (claim !== null) await updateClaim(trx, userId, domain, { is_primary: true });
    return domain;
  });

/**
 * Moves the main address to a domain and returns the new address. Throws not_found,
 * domain_unproved, and the errors of changeMainDomain.
 */
export async function changeMain(deps: Deps, userId: string, given: string): Promise<string> {
  const domain = normalizeDomain(given);
  if (!deps.config.domains.includes(domain)) requireProved(await getClaim(deps.db, userId, domain));
  return changeMainDomain(deps, userId, domain);
}

/**
 * Sets the address that receives mail for unknown addresses of a domain. An empty address turns
 * catch-all off. Throws not_found, sender_refused.
 */
export const setCatchall = (
  deps: Deps,
  userId: string,
  { domain, address }: { readonly domain: string; readonly address: string },
): Promise<string> =>
  deps.db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    const claim = await getClaim(trx, userId, domain);
    const catchall = normalizeAddress(address);
    const { all } = await findOwnAddresses(trx, userId);
    if (catchall !== '' && !all.includes(catchall)) throw new AppError('sender_refused');
    await updateClaim(trx, userId, claim.domain, { catchall });
    return catchall;
  });

/**
 * Creates a new signing key, which is not used until its record is published. Throws not_found,
 * domain_unproved.
 */
export async function makeNewKey(deps: Deps, userId: string, given: string): Promise<DomainInfo> {
  const claim = await getClaim(deps.db, userId, given);
  requireProved(claim);
  await makeNextKey(deps, claim.domain);
  return getDomain(deps, userId, claim.domain);
}
