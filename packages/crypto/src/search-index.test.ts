import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './bytes.ts';
import { decodeUtf8, encodeUtf8 } from './platform.ts';
import { createSearchBox, deriveSearchKey } from './search-index.ts';

const sentKey = new Uint8Array(32).fill(7);
const open = async (key: Uint8Array = sentKey) => createSearchBox(await deriveSearchKey(key));

describe('the search index', () => {
  it('opens under its own key and kind, and is different each time it is sealed', async () => {
    const box = await open();
    const [one, two] = await Promise.all([
      box.seal('head', encodeUtf8('ö')),
      box.seal('head', encodeUtf8('ö')),
    ]);
    expect(encodeBase64(one)).not.toBe(encodeBase64(two));
    expect(decodeUtf8(await (await open()).open('head', one))).toBe('ö');
  });

  it('does not open as another kind, under another key, or with a flipped bit', async () => {
    const box = await open();
    const sealed = await box.seal('segment', encodeUtf8('x'));
    const flipped = sealed.slice();
    flipped[15] = (flipped[15] as number) ^ 1;
    for (const attempt of [
      box.open('head', sealed),
      box.open('segment', flipped),
      box.open('segment', sealed.subarray(0, 10)),
      (await open(new Uint8Array(32))).open('segment', sealed),
    ])
      await expect(attempt).rejects.toThrow('Failed to open stored data');
    await expect(deriveSearchKey(new Uint8Array(31))).rejects.toThrow();
  });

  it('opens data of former keys and seals with its own key only', async () => {
    const old = await open(new Uint8Array(32).fill(1));
    const sealed = await old.seal('head', encodeUtf8('x'));
    const keys = [9, 2, 1].map(value => new Uint8Array(32).fill(value));
    const [key = new Uint8Array(0), ...former] = await Promise.all(keys.map(one => deriveSearchKey(one)));
    const box = await createSearchBox(key, former);
    expect(decodeUtf8(await box.open('head', sealed))).toBe('x');
    const made = await box.seal('head', encodeUtf8('y'));
    await expect(old.open('head', made)).rejects.toThrow('Failed to open stored data');
    await expect(box.open('state', sealed)).rejects.toThrow('Failed to open stored data');
    await expect(createSearchBox(key, [new Uint8Array(31)])).rejects.toThrow();
  });

  it('keeps its key and format', async () => {
    // Generated once by this code; a change here would make every device read all mail again.
    expect(encodeBase64(await deriveSearchKey(sentKey))).toBe('nuivIruf05AA/YoxD3j5R5lW6nQvXPya12s9qnObDSU=');
    const sealed = decodeBase64('4XloF9Ls9ANs+COmW2wPGCrIcEb+7OyjGyBsa1zw5nCi6w==');
    expect(decodeUtf8(await (await open()).open('state', sealed))).toBe('frozen');
  });
});
