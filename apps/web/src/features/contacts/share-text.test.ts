import { expect, test } from 'vitest';
import { readShareText, toShareText } from './share-text.ts';

const whole = { code: '0123456789ABCDEFGHJKMNPQRS', proof: 'TVWXYZ0123456789ABCD' };

test('a share text is read back in any case and with any separators', () => {
  const shown = toShareText(whole);
  expect(shown).toMatch(/^(.{5}-){9}.$/);
  expect(readShareText(shown)).toEqual(whole);
  expect(readShareText(` ${shown.toLowerCase().replaceAll('-', ' \n')} `)).toEqual(whole);
});

test('O, I and L are read as digits', () => {
  expect(readShareText(`OIL${whole.code.slice(3)}`)?.code).toBe(`011${whole.code.slice(3)}`);
});

test('a code without a proof is accepted, and a partial proof is rejected', () => {
  expect(readShareText(whole.code)).toEqual({ code: whole.code, proof: '' });
  for (const text of ['', 'abc', `${whole.code}TVW`, `${whole.code}${whole.proof}0`, 'ann@keyfold.test'])
    expect(readShareText(text), text).toBeNull();
});
