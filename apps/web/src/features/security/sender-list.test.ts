import { expect, test } from 'vitest';
import { readSenders } from './sender-list.ts';

test('addresses and domains are read out of what is pasted, each once', () => {
  expect(readSenders('Ann <ANN@Shop.example>, @spam.example\nann@shop.example; ;bob@x.example')).toEqual({
    senders: ['ann@shop.example', '@spam.example', 'bob@x.example'],
    unknown: [],
  });
});

test('what is no sender is named', () => {
  expect(readSenders('nobody\nann@shop.example\na@b@c.example')).toEqual({
    senders: ['ann@shop.example'],
    unknown: ['nobody', 'a@b@c.example'],
  });
});

test('a pasted list is separated by whatever people separate it with', () => {
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
