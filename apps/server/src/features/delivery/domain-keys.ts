/**
 * DKIM keys: one RSA key per sending domain, made when first needed, kept sealed. What must be published for each is
 * dkimRecords; signing itself is the SMTP room's (RFC 6376, RFC 8301).
 */
import { createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db } from '../../db/pool.ts';
import type { Deps } from '../../deps.ts';
import { findDomainKey, insertDomainKey } from './key-store.ts';
import type { SigningKey } from './transport.ts';

const SELECTOR = 'kf1';
const MODULUS_BITS = 2048;
const PURPOSE = 'dkim key';

const contextOf = (domain: string, selector: string): string => `${domain} ${selector}`;

const generate = promisify(generateKeyPair);

const getDomainKey = async ({ db, masterKey, clock }: Deps, domain: string) => {
  const known = await findDomainKey(db, domain, SELECTOR);
  if (known !== undefined) return known;
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  await insertDomainKey(db, {
    domain,
    selector: SELECTOR,
    private_key_sealed: masterKey.seal(
      PURPOSE,
      contextOf(domain, SELECTOR),
      privateKey.export({ type: 'pkcs8', format: 'der' }),
    ),
    public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    created_at: clock.now(),
  });
  // Another process may have been faster: what is stored counts.
  const stored = await findDomainKey(db, domain, SELECTOR);
  if (stored === undefined) throw new Error('A domain key was not stored');
  return stored;
};

/** Keys opened by this process, which signs with the same few for as long as it lives. */
const opened = new WeakMap<Db, Map<string, SigningKey>>();

/** The key that signs mail of this domain; made at first use. */
export const getSigningKey = async (deps: Deps, domain: string): Promise<SigningKey> => {
  const keys = opened.get(deps.db) ?? new Map<string, SigningKey>();
  opened.set(deps.db, keys);
  const known = keys.get(domain) ?? (await openSigningKey(deps, domain));
  keys.set(domain, known);
  return known;
};

const openSigningKey = async (deps: Deps, domain: string): Promise<SigningKey> => {
  const row = await getDomainKey(deps, domain);
  const der = deps.masterKey.open(PURPOSE, contextOf(row.domain, row.selector), row.private_key_sealed);
  const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    type: 'pkcs8',
    format: 'pem',
  });
  der.fill(0);
  return { domain: row.domain, selector: row.selector, privateKeyPem: pem.toString() };
};

/** A DNS record to publish. */
export type DkimRecord = {
  readonly domain: string;
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
};

/** The record of one domain's key, which is made when there is none. */
const dkimRecordOf = async (deps: Deps, domain: string): Promise<DkimRecord> => {
  const row = await getDomainKey(deps, domain);
  return {
    domain,
    type: 'TXT',
    name: `${row.selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=rsa; p=${row.public_key}`,
  };
};

/** The records of the service's own domains, for `npm run admin -- dkim`. */
export const dkimRecords = (deps: Deps): Promise<DkimRecord[]> =>
  Promise.all(deps.config.domains.map(domain => dkimRecordOf(deps, domain)));
