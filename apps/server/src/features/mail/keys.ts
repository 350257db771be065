/**
 * Public keys of addresses (api.md /user/keys, readings 18 and 88): in the order asked, one answer each, at the cost of
 * one look-up whatever is known. A suspended user still has keys: mail to them waits.
 */
import type { AddressKeys } from '@keyfold/contract';
import { normaliseAddress } from '@keyfold/mail/addresses';
import type { Db } from '../../db/pool.ts';
import { findOwnersOf } from '../accounts/service.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The keys of addresses; `email` is the address in normal form. */
export const keysOf = async (db: Db, addresses: readonly string[]): Promise<AddressKeys[]> => {
  // No stored address has a zero byte, and PostgreSQL's text cannot be asked for one.
  const wanted = addresses.map(address => normaliseAddress(address).replaceAll('\0', ''));
  const owners = await findOwnersOf(db, [...new Set(wanted)]);
  return wanted.map(email => {
    const owner = owners.get(email);
    if (owner === undefined) return { email, plaintext: true };
    return {
      email,
      mlkem_public: base64(owner.mlkemPublic),
      dh_public: base64(owner.dhPublic),
      fingerprint: owner.fingerprint,
    };
  });
};
