import { expect, test } from 'vitest';
import { readSenders } from './sender-list.ts';

test('reads each address and domain in pasted text once', () => {
  expect(readSenders('Ann <ANN@Shop.example>, @spam.example\nann@shop.example; ;bob@x.example')).toEqual({
    senders: ['ann@shop.example', '@spam.example', 'bob@x.example'],
    unknown: [],
  });
});

test('names the entries that are not senders', () => {
  expect(readSenders('nobody\nann@shop.example\na@b@c.example')).toEqual({
    senders: ['ann@shop.example'],
    unknown: ['nobody', 'a@b@c.example'],
  });
});

test('accepts any usual separator in a pasted list', () => {
  expect(
    readSenders('a@x.example b@x.example\tc@x.example\r\n<@d.example>;Last, First <e@x.example>'),
  ).toEqual({
    senders: ['a@x.example', 'b@x.example', 'c@x.example', '@d.example', 'e@x.example'],
    unknown: [],
  });
  expect(readSenders('eve\u200b@x.example @d\u202e.example').senders).toEqual([
    'eve@x.example',
    '@d.example',
  ]);
});
