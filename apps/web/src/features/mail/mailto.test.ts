import { expect, test } from 'vitest';
import { readMailto } from './mailto.ts';

test('a mailto: address gives people, subject and text', () => {
  expect(
    readMailto(
      'mailto:ines%40a.example,Tom%20%3Ctom@b.example%3E?cc=c@d.example&subject=Hi%20there&body=One%0D%0Atwo&attach=/etc/passwd&bcc=spy@evil.example',
    ),
  ).toEqual({
    to: [
      { name: '', address: 'ines@a.example' },
      { name: 'Tom', address: 'tom@b.example' },
    ],
    cc: [{ name: '', address: 'c@d.example' }],
    subject: 'Hi there',
    text: 'One\ntwo',
  });
});

test('what is broken gives as much as can be read, without line breaks in the subject', () => {
  expect(readMailto('MAILTO:?subject=a%0D%0ABcc:%20x@y.example&body=%E0%A4%A')).toEqual({
    to: [],
    cc: [],
    subject: 'a Bcc: x@y.example',
    text: '%E0%A4%A',
  });
  expect(readMailto('mailto:').to).toEqual([]);
});
