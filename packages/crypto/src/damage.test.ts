// Property tests: a single flipped bit anywhere in stored data is rejected, for any bit and
// payload. Data sealed with native primitives opens with JavaScript ones and the other way round.

import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openWholeAttachment, readAttachmentHeader, sealWholeAttachment } from './attachment.ts';
import { CryptoError } from './errors.ts';
import { createMessageKey } from './message.ts';
import { createOpener, type Opener } from './opener.ts';
import type { Primitives } from './primitives/port.ts';
import { loadPrimitives, setPrimitives } from './primitives/select.ts';
import { flipBit, flipBitB64, makeMail, makePair, summary } from './test-subjects.ts';
import { type Identity, lockVault, openLocal, sealLocal, unlockVault } from './vault.ts';

const bit = fc.nat({ max: 1_000_000 });
const text = fc.uint8Array({ minLength: 1, maxLength: 80 });
const payload = new TextEncoder().encode('Subject: x\r\n\r\nhello, this is longer than a block');
const byOrigin = new Map<string, Primitives>();
let alice: Identity;
let bob: Identity;

beforeAll(async () => {
  ({ alice, bob } = await makePair());
  byOrigin.set('node', await loadPrimitives({ node: true }));
  byOrigin.set('native', await loadPrimitives({ classic: 'native', x25519: 'native', mlkem1024: 'native' }));
  const javascript = { classic: 'javascript', x25519: 'javascript', mlkem1024: 'javascript' } as const;
  byOrigin.set('javascript', await loadPrimitives(javascript));
});
afterEach(() => setPrimitives(null));

async function expectRefused(work: () => Promise<unknown>): Promise<void> {
  await expect(work()).rejects.toBeInstanceOf(CryptoError);
}

describe('damaged data', () => {
  let opener: Opener;
  let own: Opener;
  let mail: Awaited<ReturnType<typeof makeMail>>;
  beforeAll(async () => {
    opener = await createOpener(bob);
    own = await createOpener(alice);
    mail = await makeMail(payload, alice, bob);
  });

  for (const field of ['body', 'encrypted_key', 'salt', 'ciphertext'] as const)
    it(`with a flipped bit in ${field} of a received message is refused`, () =>
      fc.assert(
        fc.asyncProperty(bit, async position => {
          const changed = { ...mail.received, [field]: flipBitB64(mail.received[field], position) };
          await expect(opener.open(changed)).rejects.toThrow(/^Failed to decrypt message$/);
        }),
      ));

  // Tests every bit, because X25519 itself ignores the top one ([Note: One spelling] in hybrid.ts).
  it('with a flipped bit in dh_public of a received message is refused', async () => {
    for (let position = 0; position < 256; position++) {
      const changed = { ...mail.received, dh_public: flipBitB64(mail.received.dh_public, position) };
      await expect(opener.open(changed)).rejects.toThrow(/^Failed to decrypt message$/);
    }
  });

  for (const field of ['body', 'encrypted_key', 'salt'] as const)
    it(`with a flipped bit in ${field} of the sender's own copy is refused`, () =>
      fc.assert(
        fc.asyncProperty(bit, async position => {
          const changed = { ...mail.kept, [field]: flipBitB64(mail.kept[field], position) };
          await expect(own.open(changed)).rejects.toThrow(/^Failed to decrypt message for self$/);
        }),
      ));

  for (const field of ['summary', 'binding', 'encrypted_key', 'salt', 'ciphertext'] as const)
    it(`with a flipped bit in ${field} of a message row is refused`, () =>
      fc.assert(
        fc.asyncProperty(bit, async position => {
          const changed = { ...mail.received, [field]: flipBitB64(mail.received[field], position) };
          await expect(opener.openSummary(changed)).rejects.toThrow(/^Failed to decrypt message$/);
        }),
      ));

  it('with a flipped bit in a locked vault is refused', async () => {
    const vaultKey = createMessageKey();
    const locked = await lockVault(vaultKey, alice);
    const fields = fc.constantFrom(...(Object.keys(locked) as (keyof typeof locked)[]));
    await fc.assert(
      fc.asyncProperty(fields, bit, (field, position) =>
        expectRefused(() =>
          unlockVault(vaultKey, { ...locked, [field]: flipBitB64(locked[field], position) }),
        ),
      ),
    );
  });

  it('with a flipped bit in a local storage value is refused', async () => {
    const clientKey = createMessageKey();
    const sealed = await sealLocal(clientKey, 'vault', payload);
    await fc.assert(
      fc.asyncProperty(bit, position =>
        expectRefused(() => openLocal(clientKey, 'vault', flipBitB64(sealed, position))),
      ),
    );
  });

  it('with a flipped bit in an attachment container is refused by the header or the chunks', async () => {
    const [messageKey, fileKey] = [createMessageKey(), createMessageKey()];
    const meta = { name: 'ä.txt', type: 'text/plain', size: payload.length };
    const container = await sealWholeAttachment({ messageKey, fileKey, meta, bytes: payload });
    await fc.assert(
      fc.asyncProperty(bit, position =>
        expectRefused(async () => {
          const changed = flipBit(container, position);
          await readAttachmentHeader(messageKey, changed);
          await openWholeAttachment(fileKey, changed);
        }),
      ),
      { numRuns: 300 },
    );
  });

  it('truncated anywhere in an attachment container is refused', async () => {
    const [messageKey, fileKey] = [createMessageKey(), createMessageKey()];
    const meta = { name: 'a', type: 'b/c', size: payload.length };
    const container = await sealWholeAttachment({ messageKey, fileKey, meta, bytes: payload });
    for (let sizeBytes = 0; sizeBytes < container.length; sizeBytes++)
      await expectRefused(() => openWholeAttachment(fileKey, container.subarray(0, sizeBytes)));
  });
});

const crossings = [
  { sealer: 'native', reader: 'native' },
  { sealer: 'native', reader: 'javascript' },
  { sealer: 'javascript', reader: 'native' },
  { sealer: 'node', reader: 'native' },
  { sealer: 'node', reader: 'javascript' },
  { sealer: 'native', reader: 'node' },
  { sealer: 'javascript', reader: 'javascript' },
];

describe.each(crossings)('sealed $sealer, opened $reader', ({ sealer, reader }) => {
  const use = (origin: string) => setPrimitives(byOrigin.get(origin) ?? null);

  it('round-trips every payload, key, summary and file', () =>
    fc.assert(
      fc.asyncProperty(text, async content => {
        use(sealer);
        const mail = await makeMail(content, alice, bob);
        const fileKey = createMessageKey();
        const meta = { name: 'n', type: 't/t', size: content.length };
        const container = await sealWholeAttachment({
          messageKey: mail.messageKey,
          fileKey,
          meta,
          bytes: content,
        });
        use(reader);
        const [opener, own] = await Promise.all([createOpener(bob), createOpener(alice)]);
        expect(await opener.open(mail.received)).toMatchObject({
          payload: content,
          messageKey: mail.messageKey,
        });
        expect((await opener.openSummary(mail.received)).summary).toEqual(summary);
        expect((await own.open(mail.kept)).payload).toEqual(content);
        const header = await readAttachmentHeader(mail.messageKey, container);
        expect(header).toMatchObject({ meta, fileKey });
        expect(await openWholeAttachment(header.fileKey, container)).toEqual(content);
      }),
      { numRuns: 12 },
    ));

  it('unlocks vaults and local values', async () => {
    const key = createMessageKey();
    use(sealer);
    const [locked, local] = await Promise.all([lockVault(key, alice), sealLocal(key, 'vault', payload)]);
    use(reader);
    expect(await unlockVault(key, locked)).toEqual(alice);
    expect(await openLocal(key, 'vault', local)).toEqual(payload);
  });
});
