// An outgoing message has its own message key: the key given to the server for an external
// recipient opens neither the draft nor an encrypted copy beside it.

import { createMessageKey, decodeBase64, encodeBase64 } from '@keyfold/crypto/message';
import { createIdentity, type Identity } from '@keyfold/crypto/vault';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../keys/account-keys.ts';
import { getVault } from '../keys/vault-keeper.ts';
import { closeDraft, openNewDraft, openStoredDraft, sealDraft, sealOutgoing } from './mail-sealer.ts';
import type { MessageRecipient, OutgoingMessage } from './outgoing-message.ts';

let bob: Identity;
beforeAll(async () => {
  await createAccount('alice@keyfold.test', 'Correct-Horse-9', () => undefined);
  bob = await createIdentity();
});

const message: OutgoingMessage = {
  from: { name: 'Alice', address: 'alice@keyfold.test' },
  to: [],
  cc: [],
  bcc: [],
  subject: 'Plans',
  text: 'Hello',
  references: [],
  files: [],
};
const outside: MessageRecipient = { email: 'cat@outside.test', kind: 'to', keys: null };
const inside = (): MessageRecipient => ({
  email: 'bob@keyfold.test',
  kind: 'to',
  keys: {
    mlkem_public: encodeBase64(bob.mlkem_public),
    dh_public: encodeBase64(bob.dh_public),
    fingerprint: bob.key_id,
  },
});

/** Returns whether a message key is the one in a self wrap. */
async function isKeyOf(
  key: string | undefined,
  wrap: { readonly encrypted_key?: string | undefined; readonly salt?: string | undefined },
  body: string,
): Promise<boolean> {
  const opened = await getVault().opener.open({ ...wrap, body });
  return encodeBase64(opened.messageKey) === key;
}

test.each(['new', 'stored'])('the plain copy of a %s draft has another key than the draft', async how => {
  await openNewDraft('one');
  const draft = await sealDraft('one', message);
  if (how === 'stored') {
    closeDraft('one');
    await openStoredDraft('one', { ...draft, ciphertext: null, dh_public: null } as never);
  }
  const sealed = await sealOutgoing('one', message, [outside]);
  const { encryption_key } = sealed;
  expect(decodeBase64(encryption_key ?? '')).toHaveLength(createMessageKey().length);
  expect(await isKeyOf(encryption_key, draft, draft.body)).toBe(false);
  const [own = {}] = sealed.to;
  expect(await isKeyOf(encryption_key, own, sealed.body)).toBe(true);
});

test('the key of a plain copy does not open the sealed copy', async () => {
  await openNewDraft('two');
  const plain = await sealOutgoing('two', message, [outside]);
  const sealed = await sealOutgoing('two', message, [inside()]);
  expect(sealed.encryption_key).toBeUndefined();
  const [own = {}] = sealed.to;
  expect(await isKeyOf(plain.encryption_key, own, sealed.body)).toBe(false);
});

test('a message to oneself is sealed with the user’s own keys, whatever the directory returns', async () => {
  await openNewDraft('self');
  const { identity } = getVault();
  const keys = {
    mlkem_public: encodeBase64(bob.mlkem_public),
    dh_public: encodeBase64(bob.dh_public),
    fingerprint: identity.key_id,
  };
  const sealed = await sealOutgoing('self', message, [{ email: message.from.address, kind: 'to', keys }]);
  expect(sealed.public_key).toBe(encodeBase64(identity.dh_public));
  const [kept, received] = sealed.to;
  expect([kept?.sender, kept?.ciphertext, received?.to]).toEqual([true, undefined, true]);
  const { body, public_key: dh_public } = sealed;
  const opened = await getVault().opener.open({ ...received, body, dh_public });
  expect(opened.path).toBe('hybrid');
  for (const email of ['Alice@keyfold.test', 'alice+notes@keyfold.test'])
    for (const other of [null, { ...keys, fingerprint: bob.key_id }])
      await expect(sealOutgoing('self', message, [{ email, kind: 'to', keys: other }])).rejects.toThrow(
        'Failed to encrypt message for self',
      );
});

test('a closed draft cannot be sealed', async () => {
  await openNewDraft('three');
  closeDraft('three');
  await expect(sealOutgoing('three', message, [outside])).rejects.toThrow('Missing second stage key bytes');
});
