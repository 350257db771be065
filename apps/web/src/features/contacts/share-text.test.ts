import { expect, test } from 'vitest';
import { readShareText, toShareText } from './share-text.ts';

const whole = { code: '0123456789ABCDEFGHJKMNPQRS', proof: 'TVWXYZ0123456789ABCD' };

test('what is shown is read again, in any case and with any separators', () => {
  const shown = toShareText(whole);
  expect(shown).toMatch(/^(.{5}-){9}.$/);
  expect(readShareText(shown)).toEqual(whole);
  expect(readShareText(` ${shown.toLowerCase().replaceAll('-', ' \n')} `)).toEqual(whole);
});

test('letters that look like digits are taken for them', () => {
  expect(readShareText(`OIL${whole.code.slice(3)}`)?.code).toBe(`011${whole.code.slice(3)}`);
});

test('a code of another client has no proof; half a proof is no code', () => {
  expect(readShareText(whole.code)).toEqual({ code: whole.code, proof: '' });
  for (const text of ['', 'abc', `${whole.code}TVW`, `${whole.code}${whole.proof}0`, 'ann@keyfold.test'])
    expect(readShareText(text), text).toBeNull();
});
