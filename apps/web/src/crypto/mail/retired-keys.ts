// The key worker's operations on replaced keys (docs/crypto.md, Retired keys): holds them beside
// the current ones, generates new ones, and rewraps what only old keys open. Keys leave the worker
// only in sealed form.
import type { MainKey, OldWrap, RetiredKey } from '@keyfold/contract';
import { deriveLoginHash } from '@keyfold/crypto/login';
import { createOpener, type Opener, type ReceivedWrap } from '@keyfold/crypto/opener';
import { openRetired, sealRetired } from '@keyfold/crypto/retired';
import {
  createIdentity,
  deriveVaultKey,
  type Identity,
  lockVault,
  unlockVault,
  wipeIdentity,
} from '@keyfold/crypto/vault';
import { getVault, type HeldRetired, hold, holdBeside, type VaultFacts } from '../keys/vault-keeper.ts';
import type { OwnWrapOf } from './row-opener.ts';

async function openOne(inUse: Identity, sealed: RetiredKey): Promise<HeldRetired[]> {
  try {
    const identity = await openRetired(inUse, sealed);
    return [{ identity, generation: sealed.generation, opener: await createOpener(identity) }];
  } catch {
    // The server changed or mixed up the keys: their messages do not open, and each of them reports
    // it.
    return [];
  }
}

/**
 * Holds the account's earlier keys beside the current ones, leaving out those that do not open.
 * Returns how many are held.
 */
export async function holdRetired(list: readonly RetiredKey[]): Promise<number> {
  const vault = getVault();
  const known = new Map(vault.retired.map(one => [one.identity.key_id, one]));
  const wanted = list.toSorted((a, b) => a.generation - b.generation);
  if (wanted.length === known.size && wanted.every(one => known.has(one.key_id))) return known.size;
  const found = (await Promise.all(wanted.map(one => openOne(vault.identity, one)))).flat();
  const inUse = await createOpener(vault.identity);
  const openers = new Map(found.map(one => [one.identity.key_id, one.opener]));
  const keyring = createKeyring(inUse, openers);
  if (holdBeside(vault, found, keyring)) {
    vault.opener.close();
    for (const { identity } of vault.retired) wipeIdentity(identity);
    return found.length;
  }
  // The user signed out in the meantime, or the keys were replaced.
  keyring.close();
  for (const { identity } of found) wipeIdentity(identity);
  return 0;
}

/** Request for new keys; everything in it is public, a hash, or sealed. */
export type PreparedRotation = {
  readonly password: string;
  readonly from: string;
  readonly main_key: MainKey;
  readonly retired: readonly RetiredKey[];
};

let fresh: { readonly email: string; readonly identity: Identity } | null = null;

/** Wipes new keys that were not put into use. */
export function dropRotation(): void {
  if (fresh !== null) wipeIdentity(fresh.identity);
  fresh = null;
}

/**
 * Generates new keys, and seals the current and all earlier keys for them. Rejects with 'Failed to
 * unlock vault' when the password does not open `mainKey`. The new keys wait for {@link
 * takeRotation} or {@link dropRotation}.
 */
export async function prepareRotation(password: string, mainKey: MainKey): Promise<PreparedRotation> {
  dropRotation();
  const { email, identity, retired } = getVault();
  const vaultKey = await deriveVaultKey(password, email);
  try {
    wipeIdentity(await unlockVault(vaultKey, mainKey));
    const loginHash = await deriveLoginHash(password, email);
    const made = await createIdentity();
    fresh = { email, identity: made };
    const last = Math.max(0, ...retired.map(one => one.generation));
    const all = [...retired, { identity, generation: last + 1 }];
    return {
      password: loginHash,
      from: identity.key_id,
      main_key: await lockVault(vaultKey, made),
      retired: await Promise.all(all.map(one => sealRetired(made, one.identity, one.generation))),
    };
  } finally {
    vaultKey.fill(0);
  }
}

/**
 * Puts the new keys into use once the server has stored them; null if these are not the keys
 * generated here.
 */
export async function takeRotation(keyId: string): Promise<VaultFacts | null> {
  const made = fresh;
  if (made === null || made.email !== getVault().email || made.identity.key_id !== keyId) return null;
  fresh = null;
  return hold(made.email, made.identity);
}

/** The new wraps, and the number of wraps that did not open. */
export type Rewrapped = {
  readonly wraps: readonly (OwnWrapOf & { readonly binding: string })[];
  readonly failed: number;
};

/**
 * Rewraps the user's message keys under the current keys. A wrap opens only for the binding that
 * the server names, and the new wrap has the same binding ([Note: Binding] in docs/crypto.md): it
 * vouches for nothing that the old one did not.
 */
export async function rewrapOld(mails: readonly OldWrap[]): Promise<Rewrapped> {
  const { opener } = getVault();
  const wraps: Rewrapped['wraps'][number][] = [];
  // One at a time, so that messages the user is viewing can be opened in between.
  for (const { id, binding, ...wrap } of mails) {
    try {
      const key = await opener.openKey(wrap, binding);
      const made = await opener.wrapForSelf(key, binding).finally(() => key.fill(0));
      wraps.push({ email_id: id, binding, ...made });
    } catch {
      // Damaged, or its keys are not held: left unchanged.
    }
  }
  return { wraps, failed: mails.length - wraps.length };
}

/**
 * Creates an opener that also holds earlier keys, by fingerprint: each wrap names the key it is
 * for. Closing it closes all of them.
 */
function createKeyring(inUse: Opener, retired: ReadonlyMap<string, Opener>): Opener {
  const openerFor = ({ key_used: keyId }: ReceivedWrap): Opener => retired.get(keyId ?? '') ?? inUse;
  return {
    open: message => openerFor(message).open(message),
    openKey: (wrap, binding) => openerFor(wrap).openKey(wrap, binding),
    openSummary: row => openerFor(row).openSummary(row),
    wrapForSelf: (messageKey, binding) => inUse.wrapForSelf(messageKey, binding),
    close: () => {
      for (const one of [inUse, ...retired.values()]) one.close();
    },
  };
}
