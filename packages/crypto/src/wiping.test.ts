// Secrets created internally are wiped when an operation ends, even when it fails. A recording
// implementation of the primitives keeps a reference to every secret it handles and checks it
// afterwards.

import { afterEach, beforeAll, expect, it } from 'vitest';
import { sealWholeAttachment } from './attachment.ts';
import { isAllZero } from './bytes.ts';
import { bindingOf, createMessageKey, sealMessage } from './message.ts';
import { createOpener } from './opener.ts';
import type { HkdfKey, MlKemKey, Primitives, X25519Key } from './primitives/port.ts';
import { loadPrimitives, setPrimitives } from './primitives/select.ts';
import { createRecoveryPhrase, deriveRecovery } from './recovery.ts';
import { makeMail, makePair } from './test-subjects.ts';
import { type Identity, lockVault, unlockVault } from './vault.ts';

const seen = {
  kem: [] as Uint8Array[],
  dh: [] as Uint8Array[],
  material: [] as Uint8Array[],
  opened: [] as Uint8Array[],
};
let base: Primitives;
let alice: Identity;
let bob: Identity;

beforeAll(async () => {
  base = await loadPrimitives();
  ({ alice, bob } = await makePair());
});
afterEach(() => {
  setPrimitives(null);
  for (const list of Object.values(seen)) list.length = 0;
});

function record(): void {
  setPrimitives({
    ...base,
    hkdfSha256: async (material): Promise<HkdfKey> => {
      seen.material.push(material);
      return base.hkdfSha256(material);
    },
    aesGcm: async raw => {
      const key = await base.aesGcm(raw);
      return {
        ...key,
        open: async (...args) => {
          const plaintext = await key.open(...args);
          seen.opened.push(plaintext);
          return plaintext;
        },
      };
    },
    x25519: {
      ...base.x25519,
      load: async privateKey => recordDh(await base.x25519.load(privateKey)),
      ephemeral: async () => {
        const pair = await base.x25519.ephemeral();
        return { ...pair, key: recordDh(pair.key) };
      },
    },
    mlkem1024: {
      fromSeed: async (seed): Promise<MlKemKey> => {
        const key = await base.mlkem1024.fromSeed(seed);
        return {
          ...key,
          decapsulate: async ciphertext => {
            const secret = await key.decapsulate(ciphertext);
            seen.kem.push(secret);
            return secret;
          },
        };
      },
      encapsulate: async publicKey => {
        const made = await base.mlkem1024.encapsulate(publicKey);
        seen.kem.push(made.sharedSecret);
        return made;
      },
    },
  });
}

function recordDh(key: X25519Key): X25519Key {
  return {
    ...key,
    sharedWith: async publicKey => {
      const secret = await key.sharedWith(publicKey);
      seen.dh.push(secret);
      return secret;
    },
  };
}

const remains = (list: readonly Uint8Array[]) => list.filter(secret => !isAllZero(secret)).length;

it('wipes secrets after sealing, with a static and with a fresh sender', async () => {
  record();
  const recipients = [{ email: 'b', ...bob }];
  await sealMessage({ payload: Uint8Array.of(1), messageKey: createMessageKey(), recipients, sender: alice });
  await sealMessage({ payload: Uint8Array.of(1), messageKey: createMessageKey(), recipients });
  expect([seen.kem.length, seen.dh.length, seen.material.length]).toEqual([2, 2, 2]);
  expect([remains(seen.kem), remains(seen.dh), remains(seen.material)]).toEqual([0, 0, 0]);
});

it('wipes secrets after sealing failed for one recipient', async () => {
  record();
  const recipients = [
    { email: 'b', ...bob },
    { email: 'c', ...bob, dh_public: new Uint8Array(32) },
  ];
  await expect(
    sealMessage({ payload: Uint8Array.of(1), messageKey: createMessageKey(), recipients }),
  ).rejects.toThrow();
  expect(seen.kem.length).toBe(2);
  expect([remains(seen.kem), remains(seen.dh)]).toEqual([0, 0]);
});

it('wipes secrets after opening, and the sender cache on close', async () => {
  const mail = await makeMail(Uint8Array.of(1), alice, bob);
  record();
  const opener = await createOpener(bob);
  await opener.open(mail.received);
  await expect(opener.open({ ...mail.received, salt: mail.received.binding })).rejects.toThrow();
  expect([seen.kem.length, seen.dh.length]).toEqual([2, 1]);
  expect(remains(seen.kem)).toBe(0);
  expect(seen.material.filter(material => material.length === 64).every(isAllZero)).toBe(true);
  opener.close();
  await Promise.resolve();
  expect(remains(seen.dh)).toBe(0);
});

it('wipes secrets and private keys after a vault was refused', async () => {
  const vaultKey = createMessageKey();
  const [mine, other] = await Promise.all([lockVault(vaultKey, alice), lockVault(vaultKey, bob)]);
  record();
  await expect(unlockVault(vaultKey, { ...mine, key_id: other.key_id })).rejects.toThrow('do not match');
  await expect(unlockVault(vaultKey, { ...mine, sent_key: 'AAAA' })).rejects.toThrow('Failed to unlock');
  expect(seen.opened.length).toBe(5);
  expect(remains(seen.opened)).toBe(0);
});

it('wipes secrets after a recovery phrase was read', async () => {
  const phrase = await createRecoveryPhrase();
  record();
  await deriveRecovery(phrase, 'a@x.test');
  expect(seen.material.length).toBe(1);
  expect(remains(seen.material)).toBe(0);
});

it('never wipes data that the caller owns', async () => {
  record();
  const [messageKey, fileKey] = [createMessageKey(), createMessageKey()];
  const bytes = Uint8Array.of(1, 2, 3);
  await sealWholeAttachment({ messageKey, fileKey, meta: { name: 'a', type: 'b', size: 3 }, bytes });
  const opener = await createOpener(alice);
  await opener.wrapForSelf(messageKey, await bindingOf(bytes));
  opener.close();
  expect([messageKey, fileKey, alice.sent_key, alice.dh_private].some(isAllZero)).toBe(false);
  expect([...bytes]).toEqual([1, 2, 3]);
});
