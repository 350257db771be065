import { expect, test } from 'vitest';
import { lastReceived } from './last-received.ts';

const message = (address: string, isDraft = false) => ({ from: { name: '', address }, isDraft });
const own = new Set(['me@own.example']);

test('a conversation is forwarded from its last received message, not from one of one’s own', () => {
  const received = message('her@out.example');
  const messages = [message('him@out.example'), received, message('Me@own.example')];
  expect(lastReceived([...messages, message('her@out.example', true)], own)).toBe(received);
});

test('of a conversation with oneself the last message is forwarded', () => {
  const last = message('me@own.example');
  expect(lastReceived([message('me@own.example'), last], own)).toBe(last);
  expect(lastReceived([], own)).toBe(undefined);
});
