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
