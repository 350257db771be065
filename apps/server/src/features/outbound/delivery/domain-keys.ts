/**
 * DKIM keys: sealed RSA keys of sending domains. Each of the service's own domains has one, created
 * on first use. A user's domain has several over time, each under its own selector. The newest key
 * whose record was seen in DNS signs, so that a new key is never used before receivers can verify
 * it (RFC 6376, RFC 8301). smtp/outbound does the signing.
 */
import { createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../../context/deps.ts';
import type { Db } from '../../../db/pool.ts';
import {
  type DomainKeyRow,
  deleteDomainKeys,
  findDomainKey,
  findSeenKey,
  insertDomainKey,
  listDomainKeys,
  setKeySeen,
} from './key-store.ts';
import type { SigningKey } from './transport.ts';

const SELECTOR_PREFIX = 'kf';
const FIRST_SELECTOR = `${SELECTOR_PREFIX}1`;
const MODULUS_BITS = 2048;
const PURPOSE = 'dkim key';

type KeyDeps = Pick<Deps, 'clock' | 'db' | 'masterKey'>;

const contextOf = (domain: string, selector: string): string => `${domain} ${selector}`;

const generate = promisify(generateKeyPair);

async function getDomainKey(
  { db, masterKey, clock }: KeyDeps,
  domain: string,
  selector: string,
): Promise<DomainKeyRow> {
  const known = await findDomainKey(db, domain, selector);
  if (known !== undefined) return known;
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  await insertDomainKey(db, {
    domain,
    selector,
    private_key_sealed: masterKey.seal(
      PURPOSE,
      contextOf(domain, selector),
      privateKey.export({ type: 'pkcs8', format: 'der' }),
    ),
    public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    created_at: clock.now(),
  });
  // Another process may have been faster; the stored key is authoritative.
  const stored = await findDomainKey(db, domain, selector);
  if (stored === undefined) throw new Error('The DKIM key was not stored');
  return stored;
}

/** Cache of opened keys. A process signs with the same few keys for its whole lifetime. */
const opened = new WeakMap<Db, LRUCache<string, SigningKey>>();
const OPENED_MAX = 1_000;

function openKey(deps: KeyDeps, row: DomainKeyRow): SigningKey {
  const keys = opened.get(deps.db) ?? new LRUCache<string, SigningKey>({ max: OPENED_MAX });
  opened.set(deps.db, keys);
  // A domain that was removed and added again has different keys under the same selectors.
  const name = `${contextOf(row.domain, row.selector)} ${row.public_key}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const der = deps.masterKey.open(PURPOSE, contextOf(row.domain, row.selector), row.private_key_sealed);
  const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    type: 'pkcs8',
    format: 'pem',
  });
  der.fill(0);
  const key = { domain: row.domain, selector: row.selector, privateKeyPem: pem.toString() };
  keys.set(name, key);
  return key;
}

/**
 * Returns the key that signs mail from a domain. Until receivers can verify signatures of a user's
 * domain, the service signs with its own domain.
 */
export async function getSigningKey(deps: KeyDeps & Pick<Deps, 'config'>, domain: string) {
  const { domains } = deps.config;
  const seen = domains.includes(domain) ? undefined : await findSeenKey(deps.db, domain);
  const own = domains.includes(domain) ? domain : (domains[0] ?? domain);
  return openKey(deps, seen ?? (await getDomainKey(deps, own, FIRST_SELECTOR)));
}

/** A DNS record to publish. */
export type DkimRecord = {
  readonly domain: string;
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
};

const toRecord = (row: DomainKeyRow): DkimRecord => ({
  domain: row.domain,
  type: 'TXT',
  name: `${row.selector}._domainkey.${row.domain}`,
  value: `v=DKIM1; k=rsa; p=${row.public_key}`,
});

/** Returns the records of the service's own domains, for `npm run admin -- dkim`. */
export const dkimRecords = (deps: Deps): Promise<DkimRecord[]> =>
  Promise.all(
    deps.config.domains.map(async domain => toRecord(await getDomainKey(deps, domain, FIRST_SELECTOR))),
  );

/** A key of a user's domain in the form in which it is published. */
export type PublishedKey = DkimRecord & { readonly selector: string; readonly seenAt: Date | null };

const toPublished = (row: DomainKeyRow): PublishedKey => ({
  ...toRecord(row),
  selector: row.selector,
  seenAt: row.seen_at,
});

const numberOf = (selector: string): number => Number(selector.slice(SELECTOR_PREFIX.length)) || 0;

const byNumber = (rows: readonly DomainKeyRow[]): DomainKeyRow[] =>
  [...rows].sort((a, b) => numberOf(a.selector) - numberOf(b.selector));

/** Returns the keys of a user's domain, oldest first. Creates the first one when there is none. */
export async function keysOfDomain(deps: KeyDeps, domain: string): Promise<PublishedKey[]> {
  const rows = await listDomainKeys(deps.db, domain);
  if (rows.length === 0) return [toPublished(await getDomainKey(deps, domain, FIRST_SELECTOR))];
  return byNumber(rows).map(toPublished);
}

/**
 * Creates the next key of a user's domain, unless one is still waiting for its record. Of the keys
 * that were seen in DNS, only the newest is kept with it.
 */
export async function makeNextKey(deps: KeyDeps, domain: string): Promise<void> {
  const rows = byNumber(await listDomainKeys(deps.db, domain));
  const newest = rows.at(-1);
  if (newest !== undefined && newest.seen_at === null) return;
  const older = rows.slice(0, -1).map(({ selector }) => selector);
  if (older.length > 0) await deleteDomainKeys(deps.db, domain, older);
  const next = `${SELECTOR_PREFIX}${newest === undefined ? 1 : numberOf(newest.selector) + 1}`;
  await getDomainKey(deps, domain, next);
}

/**
 * Records which of a domain's keys were seen in DNS, and which are definitely missing. A key that
 * was seen once is dropped only when another key's record exists: a temporarily missing record is
 * no reason to stop signing.
 */
export async function noteSeenKeys(
  { db, clock }: KeyDeps,
  domain: string,
  states: ReadonlyMap<string, 'found' | 'gone' | 'unknown'>,
): Promise<void> {
  const isOneFound = [...states.values()].includes('found');
  for (const [selector, state] of states) {
    if (state === 'found') await setKeySeen(db, domain, selector, clock.now());
    else if (state === 'gone' && isOneFound) await setKeySeen(db, domain, selector, null);
  }
}

/** Deletes the keys of a domain that no user claims any more. */
export const forgetKeys = ({ db }: KeyDeps, domain: string): Promise<void> => deleteDomainKeys(db, domain);
