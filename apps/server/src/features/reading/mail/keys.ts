/**
 * Public keys of addresses (docs/api-conventions.md#mail, docs/interpretations.md#18 and #88): in the order asked, one answer
 * each, proved by the key log. A suspended user still has keys: mail to them waits. Of an address without keys it is said whether
 * it would be refused here as unknown, which SMTP tells anybody: a mistyped name must not get a letter in the clear.
 */
import type { AddressKeys, api, OutputOf } from '@keyfold/contract';
import { normalizeAddress } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import { withProofs } from '../../accounts/key-log/index.ts';
import { findOwnersOf, type Owner } from '../../accounts/users/index.ts';
import { findUnknown } from '../../inbound/ingest/index.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const toKeys = (email: string, owner: Owner | undefined, isUnknown: boolean): AddressKeys =>
  owner === undefined
    ? { email, plaintext: true, ...(isUnknown ? { unknown: true } : {}) }
    : {
        email,
        mlkem_public: base64(owner.mlkemPublic),
        dh_public: base64(owner.dhPublic),
        fingerprint: owner.fingerprint,
      };

/** The keys of addresses; `email` is the address in normal form. `logSize` names the key log that the caller knows. */
export async function keysOf(
  deps: Deps,
  addresses: readonly string[],
  logSize: number | undefined,
): Promise<OutputOf<typeof api.mail.keys>> {
  // No stored address has a zero byte, and PostgreSQL's text cannot be asked for one.
  const wanted = addresses.map(address => normalizeAddress(address).replaceAll('\0', ''));
  const { found, log } = await withProofs(deps, wanted, logSize, trx =>
    findOwnersOf(trx, [...new Set(wanted)]),
  );
  const unknown = await findUnknown(
    deps,
    wanted.filter(email => !found.has(email)),
  );
  return { data: wanted.map(email => toKeys(email, found.get(email), unknown.has(email))), log };
}
