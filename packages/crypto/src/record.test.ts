// Records: they open under the same name and key, and under no other.

import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './bytes.ts';
import { decodeUtf8, encodeUtf8 } from './platform.ts';
import { hideName, openRecord, sealRecord } from './record.ts';

const key = new Uint8Array(32).fill(7);
const name = { kind: 'setting', id: 'senders' };
const content = encodeUtf8('{"ö":1}');

describe('a record', () => {
  it('opens under its own name and key, and is different each time it is sealed', async () => {
    const [one, two] = await Promise.all([sealRecord(key, name, content), sealRecord(key, name, content)]);
    expect(one).not.toBe(two);
    expect(decodeUtf8(await openRecord(key, name, one))).toBe('{"ö":1}');
  });

  it('does not open under another kind, id or key, or with a flipped bit', async () => {
    const sealed = await sealRecord(key, name, content);
    const bytes = decodeBase64(sealed);
    bytes[20] = (bytes[20] as number) ^ 1;
    for (const attempt of [
      openRecord(key, { ...name, kind: 'template' }, sealed),
      openRecord(key, { ...name, id: 'sender' }, sealed),
      openRecord(key, { kind: 'settingsenders', id: '' }, sealed),
      openRecord(new Uint8Array(32), name, sealed),
      openRecord(key, name, encodeBase64(bytes)),
      openRecord(key, name, ''),
      openRecord(key, name, '%'),
    ])
      await expect(attempt).rejects.toThrow('Failed to open stored data');
  });

  it('refuses a name with a zero byte, which would be ambiguous', async () => {
    await expect(sealRecord(key, { kind: 'a\0b', id: 'c' }, content)).rejects.toThrow(
      'Failed to seal stored data',
    );
  });

  it('opens a frozen value, so the format is unchanged', async () => {
    // Generated once by this code; a change here would make every stored record unreadable.
    const sealed = 'JTycIEvRhAoUOCApwCHRbKwxQjL587+pGEeZmTmkaTEA1v77J6O5a/ol7w==';
    expect(decodeUtf8(await openRecord(key, name, sealed))).toBe('{"frozen":true}');
  });
});

describe('a hidden name', () => {
  it('is the same only for the same text and key', async () => {
    const names = await Promise.all([
      hideName(key, '/user/query?tag=secret'),
      hideName(key, '/user/query?tag=secret'),
      hideName(key, '/user/query?tag=secreT'),
      hideName(new Uint8Array(32), '/user/query?tag=secret'),
    ]);
    expect(names[0]).toBe(names[1]);
    expect(new Set(names).size).toBe(3);
    expect(decodeBase64(names[0] ?? '')).toHaveLength(32);
  });
});
