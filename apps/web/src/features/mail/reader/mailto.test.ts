import { expect, test } from 'vitest';
import { readMailto } from './mailto.ts';

test('reads people, subject and text from a mailto: address', () => {
  expect(
    readMailto(
      'mailto:ines%40a.example,Tom%20%3Ctom@b.example%3E?cc=c@d.example&subject=Hi%20there&body=One%0D%0Atwo&attach=/etc/passwd&bcc=eve%40e.example&CC=f@g.example&to=h@i.example',
    ),
  ).toEqual({
    to: [
      { name: '', address: 'ines@a.example' },
      { name: 'Tom', address: 'tom@b.example' },
      { name: '', address: 'h@i.example' },
    ],
    cc: [
      { name: '', address: 'c@d.example' },
      { name: '', address: 'f@g.example' },
    ],
    bcc: [{ name: '', address: 'eve@e.example' }],
    subject: 'Hi there',
    text: 'One\ntwo',
  });
});

test('reads what it can from a malformed address, without line breaks in the subject', () => {
  expect(readMailto('MAILTO:?subject=a%0D%0ABcc:%20x@y.example&body=%E0%A4%A')).toEqual({
    to: [],
    cc: [],
    bcc: [],
    subject: 'a Bcc: x@y.example',
    text: 'à¤%A',
  });
  expect(readMailto('mailto:').to).toEqual([]);
});

test('decodes percent-encoding only where it is valid', () => {
  expect(readMailto('mailto:a@b.example?subject=100%&amp;body=Gr%FC%DFe+1').subject).toBe('100%');
  expect(readMailto('mailto:a@b.example?subject=x&amp;body=Gr%FC%DFe+1').text).toBe('Grüße+1');
  expect(readMailto('mailto:a@b.example?subject=caf%C3%A9%20%26%20tea%3F').subject).toBe('café & tea?');
  expect(readMailto('mailto:%22not%40me%22@b.example').to).toEqual([
    { name: '', address: '"not@me"@b.example' },
  ]);
});
