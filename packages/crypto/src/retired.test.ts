// Retired keys: they open only with the current keys and under their own generation.

import { beforeAll, describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64, isAllZero } from './bytes.ts';
import { openRetired, sealRetired } from './retired.ts';
import { createIdentity, type Identity } from './vault.ts';

const refused = 'Failed to unlock vault';

describe('retired keys', () => {
  let inUse: Identity;
  let old: Identity;
  beforeAll(async () => {
    [inUse, old] = [await createIdentity(), await createIdentity()];
  });

  it('round-trip, differ each time they are sealed, and leave the input unchanged', async () => {
    const [one, two] = [await sealRetired(inUse, old, 1), await sealRetired(inUse, old, 1)];
    expect(one.sealed).not.toBe(two.sealed);
    expect(decodeBase64(one.sealed)).toHaveLength(156);
    expect(await openRetired(inUse, one)).toEqual(old);
    expect(isAllZero(old.sent_key)).toBe(false);
  });

  it('do not open under other keys, names or generations, or with a flipped bit', async () => {
    const sealed = await sealRetired(inUse, old, 2);
    const bytes = decodeBase64(sealed.sealed);
    bytes[40] = (bytes[40] as number) ^ 1;
    for (const attempt of [
      openRetired(old, sealed),
      openRetired(inUse, { ...sealed, generation: 1 }),
      openRetired(inUse, { ...sealed, generation: 0 }),
      openRetired(inUse, { ...sealed, key_id: inUse.key_id }),
      openRetired(inUse, { ...sealed, sealed: encodeBase64(bytes) }),
      openRetired(inUse, { ...sealed, sealed: '' }),
    ])
      await expect(attempt).rejects.toThrow(refused);
  });

  it('are refused when the private keys do not match their key_id', async () => {
    const sealed = await sealRetired(inUse, { ...old, key_id: inUse.key_id }, 1);
    await expect(openRetired(inUse, sealed)).rejects.toThrow('Vault keys do not match');
  });

  it('open from a frozen value, so the format is unchanged', async () => {
    const part = (value: number, size: number) => new Uint8Array(size).fill(value);
    const sealed = FROZEN;
    const opened = await openRetired({ sent_key: part(7, 32) }, sealed);
    expect(opened).toMatchObject({
      mlkem_private: part(1, 64),
      dh_private: part(2, 32),
      sent_key: part(3, 32),
    });
  });
});

// Generated once by this code; a change here would lose the old mail of every user who has replaced
// their keys.
const FROZEN = {
  key_id: 'Hw1MZwS/vJp9yE6Q11nEU/gQVps=',
  generation: 3,
  sealed:
    'czwJsGLwe/WkHzG35gMp1e3fncL1gaHkWfnI0ovw3EbjtDC7RSeBNsb9BkQqWodHwo8LI5SgXKtcAspV8Uocq5UZ56obBPRkvasNmiA0zweN4O/vy0Umt6BC5tKEdGRsr/25qhL/NRbWwKvyMHzSeels2z5ZvN4LJNHxNxLjSuL7vz7j3o3Vw0mBw35PaiPBa+74b/MtDrZ/jmLW',
};
