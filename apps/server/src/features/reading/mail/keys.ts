/**
 * Public keys of addresses (docs/api-conventions.md#mail, docs/interpretations.md#18 and #88): one
 * result per address, in the requested order, proved by the key log. A suspended user still has
 * keys, because mail to them waits. For an address without keys, the response says whether this
 * server would refuse it as unknown, which SMTP reveals to anyone: a mistyped name must not receive
 * a message in plaintext.
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

/**
 * Returns the keys of addresses. `email` is the normalized address. `logSize` is the size of the
 * key log that the caller knows.
 */
export async function keysOf(
  deps: Deps,
  addresses: readonly string[],
  logSize: number | undefined,
): Promise<OutputOf<typeof api.mail.keys>> {
  // No stored address contains a zero byte, and PostgreSQL text parameters cannot contain one.
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
