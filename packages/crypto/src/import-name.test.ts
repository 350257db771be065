import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { nameImported } from './import-name.ts';

test('the import name is an HKDF of the message digest under sent_key', async () => {
  const sentKey = randomBytes(32);
  const digest = createHash('sha256').update('a message').digest();
  const name = Buffer.from(await nameImported(sentKey, digest));
  expect(name).toEqual(Buffer.from(hkdfSync('sha256', sentKey, digest, 'import-name', 16)));
  expect(Buffer.from(await nameImported(randomBytes(32), digest))).not.toEqual(name);
  await expect(nameImported(sentKey, digest.subarray(1))).rejects.toThrow();
});
