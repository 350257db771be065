// What the key worker does with keys that were replaced (docs/crypto.md, Retired keys): takes them beside those in use, makes
// new ones, and wraps what only old ones open. No key leaves the worker but sealed.
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
    // The server changed or mixed them: their mail does not open, which is told with it.
    return [];
  }
}

/** Takes the account's earlier keys beside those in use; what does not open is left out. Returns how many are held. */
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
  // Somebody signed out meanwhile, or keys were replaced.
  keyring.close();
  for (const { identity } of found) wipeIdentity(identity);
  return 0;
}

/** What the server is asked for new keys; everything in it is public, a hash, or sealed. */
export type PreparedRotation = {
  readonly password: string;
  readonly from: string;
  readonly main_key: MainKey;
  readonly retired: readonly RetiredKey[];
};

let fresh: { readonly email: string; readonly identity: Identity } | null = null;

/** Forgets keys that were made and not taken into use. */
export function dropRotation(): void {
  if (fresh !== null) wipeIdentity(fresh.identity);
  fresh = null;
}

/**
 * Makes new keys, and seals the ones in use and all before them for these. Rejects with 'Failed to unlock vault' when the
 * password does not open `mainKey`. The new keys wait for {@link takeRotation} or {@link dropRotation}.
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

/** Takes the new keys into use, once the server has them; false when these are not the ones that were made here. */
export async function takeRotation(keyId: string): Promise<VaultFacts | null> {
  const made = fresh;
  if (made === null || made.email !== getVault().email || made.identity.key_id !== keyId) return null;
  fresh = null;
  return hold(made.email, made.identity);
}

/** The wraps that were made anew, and how many did not open. */
export type Rewrapped = {
  readonly wraps: readonly (OwnWrapOf & { readonly binding: string })[];
  readonly failed: number;
};

/**
 * Wraps the keys of mails for oneself under the keys in use. A wrap opens for the binding that the server names or not at
 * all, and the new one is for the same ([Note: Binding] in docs/crypto.md): it vouches for nothing that the old one did not.
 */
export async function rewrapOld(mails: readonly OldWrap[]): Promise<Rewrapped> {
  const { opener } = getVault();
  const wraps: Rewrapped['wraps'][number][] = [];
  // One after the other, so that what people look at comes between.
  for (const { id, binding, ...wrap } of mails) {
    try {
      const key = await opener.openKey(wrap, binding);
      const made = await opener.wrapForSelf(key, binding).finally(() => key.fill(0));
      wraps.push({ email_id: id, binding, ...made });
    } catch {
      // Damaged, or keys that are not here: it stays as it is.
    }
  }
  return { wraps, failed: mails.length - wraps.length };
}

/**
 * An opener that also knows earlier keys, by their fingerprints: which key a wrap is for it says itself. Closing it closes
 * them all.
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
