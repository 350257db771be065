// Names and addresses as Outlook keeps them, and those that are made to keep a reader busy.
import { expect, test } from 'vitest';
import { findMailbox, NOBODY } from './people.ts';

test('names and addresses lose what stands around them', () => {
  expect(findMailbox(`  '"Ann Lee"' `, ['<ann@x.test>'])).toEqual({ name: 'Ann Lee', address: 'ann@x.test' });
  expect(findMailbox('', ["'ann@x.test'"])).toEqual({ name: '', address: 'ann@x.test' });
  expect(findMailbox('Ann', ['/o=Firm/ou=A/cn=Recipients/cn=--Ann Lee--'])).toEqual({
    name: 'Ann',
    address: 'ann-lee@exchange.invalid',
  });
  expect(findMailbox('Ann  Lee', [])).toEqual({ name: 'Ann  Lee', address: NOBODY });
  expect(findMailbox(` '"<> `, [''])).toBeNull();
});

test('long runs of blanks and dashes inside of a name take no time', () => {
  const start = performance.now();
  findMailbox(`a${' '.repeat(300_000)}b`, []);
  findMailbox('b', [`/o=a/cn=a${'-'.repeat(300_000)}b`]);
  findMailbox('b', [`a${`'"'`.repeat(100_000)}b`]);
  // A reader that looks at each run from each of its places needs minutes.
  expect(performance.now() - start).toBeLessThan(1_000);
});
