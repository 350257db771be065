import { expect, test } from 'vitest';
import { senderWarnings } from './sender-warnings.ts';

const facts = {
  from: { name: 'Ines', address: 'ines@harborlight.example' },
  replyTo: [],
  knownHosts: ['harborlight.example', 'keyfold.test'],
  ownAddresses: new Set(['mara@keyfold.test']),
};

test('an ordinary sender triggers no warning', () => {
  expect(senderWarnings(facts)).toEqual([]);
  expect(
    senderWarnings({ ...facts, replyTo: [{ name: '', address: 'x@mail.harborlight.example' }] }),
  ).toEqual([]);
  expect(
    senderWarnings({
      ...facts,
      from: { name: 'ines@harborlight.example', address: 'Ines@Harborlight.example' },
    }),
  ).toEqual([]);
  expect(senderWarnings({ ...facts, replyTo: [{ name: '', address: 'mara@keyfold.test' }] })).toEqual([]);
  expect(senderWarnings({ ...facts, from: { name: '', address: '' } })).toEqual([]);
});

test('warns about a name that shows another address', () => {
  const [warning] = senderWarnings({
    ...facts,
    from: { name: 'boss@keyfold.test', address: 'x@evil.example' },
  });
  expect(warning).toBe('The name says boss@keyfold.test, but the message is from x@evil.example.');
});

test('warns about replies that go to another site', () => {
  const [warning] = senderWarnings({ ...facts, replyTo: [{ name: '', address: 'x@evil.example' }] });
  expect(warning).toContain('x@evil.example');
});

test('warns about domains that imitate a known one or mix scripts', () => {
  expect(senderWarnings({ ...facts, from: { name: 'I', address: 'i@keyfo1d.test' } })[0]).toContain(
    'keyfold.test',
  );
  expect(senderWarnings({ ...facts, from: { name: 'I', address: 'i@xn--pple-43d.example' } })[0]).toContain(
    'xn--pple-43d.example',
  );
  expect(senderWarnings({ ...facts, from: { name: 'I', address: 'i@яндекс.рф' } })).toEqual([]);
});
