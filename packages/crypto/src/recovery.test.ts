// The recovery kit: phrases as typed, checksums, and a vault that a phrase opens.

import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from './platform.ts';
import { createRecoveryPhrase, deriveRecovery, isRecoveryWord } from './recovery.ts';
import { RECOVERY_WORDS } from './recovery-words.ts';
import { createIdentity, lockVault, unlockVault } from './vault.ts';

const ZERO_PHRASE = `${'abandon '.repeat(23)}art`; // BIP 39's own vector for 32 zero bytes

describe('the word list', () => {
  it('has 2048 sorted words with unique first four letters', () => {
    expect(RECOVERY_WORDS).toHaveLength(2048);
    expect([...RECOVERY_WORDS].sort()).toEqual(RECOVERY_WORDS);
    expect(new Set(RECOVERY_WORDS.map(word => word.slice(0, 4))).size).toBe(2048);
    expect(RECOVERY_WORDS.every(word => /^[a-z]{3,8}$/.test(word))).toBe(true);
  });

  it('recognizes words as typed', () => {
    expect([' Zoo ', 'abandon', 'zoos', ''].map(isRecoveryWord)).toEqual([true, true, false, false]);
  });
});

describe('a recovery phrase', () => {
  it('has 24 words, is different each time, and opens a vault', async () => {
    const [phrase, other, identity] = await Promise.all([
      createRecoveryPhrase(),
      createRecoveryPhrase(),
      createIdentity(),
    ]);
    expect(phrase.split(' ')).toHaveLength(24);
    expect(phrase).not.toBe(other);
    const { recoveryKey, proof } = await deriveRecovery(phrase, 'alice@x.test');
    const locked = await lockVault(recoveryKey, identity);
    const typed = `  ${phrase.toUpperCase().replaceAll(' ', '\n  ')} `;
    const again = await deriveRecovery(typed, ' Alice@X.test');
    expect(again.proof).toBe(proof);
    expect(await unlockVault(again.recoveryKey, locked)).toEqual(identity);
    const wrong = await deriveRecovery(other, 'alice@x.test');
    await expect(unlockVault(wrong.recoveryKey, locked)).rejects.toThrow('Failed to unlock vault');
  });

  it('is accepted with the printed numbers', async () => {
    const numbered = ZERO_PHRASE.split(' ').map((word, at) => `${at + 1}. ${word}`);
    const plain = await deriveRecovery(ZERO_PHRASE, 'alice@x.test');
    expect((await deriveRecovery(numbered.join('\n'), 'alice@x.test')).proof).toBe(plain.proof);
  });

  it('derives frozen secrets, which differ for another address', async () => {
    const { recoveryKey, proof } = await deriveRecovery(ZERO_PHRASE, 'alice@x.test');
    expect(Buffer.from(recoveryKey).toString('hex')).toMatchInlineSnapshot(
      `"7eeaddca355ce31b6be580a2aaef04d237d3f6149ea5b7b14b4e4fb3d7b259fa"`,
    );
    expect(proof).toMatchInlineSnapshot(`"c5de5e080a052f7bacb4ec3438657235575df20a08abd285566a074f3e322251"`);
    expect((await deriveRecovery(ZERO_PHRASE, 'bob@x.test')).proof).not.toBe(proof);
  });

  it('accepts the published checksum of all-one entropy', async () => {
    await expect(deriveRecovery(`${'zoo '.repeat(23)}vote`, 'a')).resolves.toBeDefined();
  });

  it('is refused with a wrong word, count, order or checksum', async () => {
    const words = (await createRecoveryPhrase()).split(' ');
    const wrong = [
      words.slice(1),
      [...words, 'zoo'],
      ['hellö', ...words.slice(1)],
      [...'abandon '.repeat(24).trim().split(' ')],
      [],
    ];
    for (const phrase of wrong)
      await expect(deriveRecovery(phrase.join(' '), 'a@x.test')).rejects.toThrow(
        /^Recovery phrase is not valid$/,
      );
  });
});

it('UTF-8 round-trips text and refuses invalid bytes', () => {
  expect(decodeUtf8(encodeUtf8('\ufeffä👋'))).toBe('\ufeffä👋');
  expect(() => decodeUtf8(Uint8Array.of(0xff))).toThrow(TypeError);
});
