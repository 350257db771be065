import { expect, test } from 'vitest';
import { lastReceived } from './last-received.ts';

const message = (address: string, isDraft = false) => ({ from: { name: '', address }, isDraft });
const own = new Set(['me@own.example']);

test('a conversation is forwarded from the last received message, not from the user’s own', () => {
  const received = message('her@out.example');
  const messages = [message('him@out.example'), received, message('Me@own.example')];
  expect(lastReceived([...messages, message('her@out.example', true)], own)).toBe(received);
});

test('a conversation with oneself is forwarded from its last message', () => {
  const last = message('me@own.example');
  expect(lastReceived([message('me@own.example'), last], own)).toBe(last);
  expect(lastReceived([], own)).toBe(undefined);
});
