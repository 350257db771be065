// Names and addresses as Outlook stores them, and inputs crafted to exhaust a reader's CPU time.
import { expect, test } from 'vitest';
import { findMailbox, NOBODY } from './people.ts';

test('names and addresses lose the quotes, brackets and blanks around them', () => {
  expect(findMailbox(`  '"Ann Lee"' `, ['<ann@x.test>'])).toEqual({ name: 'Ann Lee', address: 'ann@x.test' });
  expect(findMailbox('', ["'ann@x.test'"])).toEqual({ name: '', address: 'ann@x.test' });
  expect(findMailbox('Ann', ['/o=Firm/ou=A/cn=Recipients/cn=--Ann Lee--'])).toEqual({
    name: 'Ann',
    address: 'ann-lee@exchange.invalid',
  });
  expect(findMailbox('Ann  Lee', [])).toEqual({ name: 'Ann  Lee', address: NOBODY });
  expect(findMailbox(` '"<> `, [''])).toBeNull();
});

test('long runs of blanks and dashes inside a name are read in linear time', () => {
  const start = performance.now();
  findMailbox(`a${' '.repeat(300_000)}b`, []);
  findMailbox('b', [`/o=a/cn=a${'-'.repeat(300_000)}b`]);
  findMailbox('b', [`a${`'"'`.repeat(100_000)}b`]);
  // A reader that rescans each run from each of its positions needs minutes.
  expect(performance.now() - start).toBeLessThan(1_000);
});
