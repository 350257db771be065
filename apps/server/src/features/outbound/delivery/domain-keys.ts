/**
 * DKIM keys: RSA keys of sending domains, kept sealed. The service's own domains have one each, made when first needed. A
 * user's domain has several over time, each under a selector of its own: the newest whose record was seen signs, so that
 * a new key is never used before others can check it (RFC 6376, RFC 8301). Signing itself is the SMTP room's.
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
  // Another process may have been faster: what is stored counts.
  const stored = await findDomainKey(db, domain, selector);
  if (stored === undefined) throw new Error('A domain key was not stored');
  return stored;
}

/** Keys opened by this process, which signs with the same few for as long as it lives. */
const opened = new WeakMap<Db, LRUCache<string, SigningKey>>();
const OPENED_MAX = 1_000;

function openKey(deps: KeyDeps, row: DomainKeyRow): SigningKey {
  const keys = opened.get(deps.db) ?? new LRUCache<string, SigningKey>({ max: OPENED_MAX });
  opened.set(deps.db, keys);
  // A domain that went and came back has other keys under the same names.
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
 * The key that signs mail of this domain. As long as nobody can check a signature of a user's domain, the service signs in
 * its own name.
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

/** The records of the service's own domains, for `npm run admin -- dkim`. */
export const dkimRecords = (deps: Deps): Promise<DkimRecord[]> =>
  Promise.all(
    deps.config.domains.map(async domain => toRecord(await getDomainKey(deps, domain, FIRST_SELECTOR))),
  );

/** A key of a user's domain as it is to be published. */
export type PublishedKey = DkimRecord & { readonly selector: string; readonly seenAt: Date | null };

const toPublished = (row: DomainKeyRow): PublishedKey => ({
  ...toRecord(row),
  selector: row.selector,
  seenAt: row.seen_at,
});

const numberOf = (selector: string): number => Number(selector.slice(SELECTOR_PREFIX.length)) || 0;

const byNumber = (rows: readonly DomainKeyRow[]): DomainKeyRow[] =>
  [...rows].sort((a, b) => numberOf(a.selector) - numberOf(b.selector));

/** The keys of a user's domain, oldest first; the first one is made when there is none. */
export async function keysOfDomain(deps: KeyDeps, domain: string): Promise<PublishedKey[]> {
  const rows = await listDomainKeys(deps.db, domain);
  if (rows.length === 0) return [toPublished(await getDomainKey(deps, domain, FIRST_SELECTOR))];
  return byNumber(rows).map(toPublished);
}

/**
 * Makes the next key of a user's domain. While one waits for its record there is no other; and of those that were seen only
 * the newest stays beside it.
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
 * Notes which of a domain's keys were seen in DNS, and which certainly were not. A key that was seen once is given up only
 * for one that is there: a record that is gone for a moment is no reason to stop signing.
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

/** Forgets the keys of a domain that nobody claims any more. */
export const forgetKeys = ({ db }: KeyDeps, domain: string): Promise<void> => deleteDomainKeys(db, domain);
