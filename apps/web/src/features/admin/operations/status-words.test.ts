import { expect, test } from 'vitest';
import { whyOf } from './status-words.ts';

test('a reply is told by its numbers and by what they are about', () => {
  expect(whyOf({ reply_code: 451, status: '4.7.1' })).toBe('451 · 4.7.1 · Policy or security');
  expect(whyOf({ reply_code: 452, status: '4.2.2' })).toBe('452 · 4.2.2 · The mailbox');
  expect(whyOf({ reply_code: 450, status: '4.0.0' })).toBe('450 · 4.0.0 · Not said');
});

test('where no server answered that is said, and what is our own doing', () => {
  expect(whyOf({ reply_code: null, status: '4.4.1' })).toBe('No answer · 4.4.1 · Network or DNS');
  expect(whyOf({ reply_code: null, status: '4.3.5' })).toBe('A failure of this service');
  expect(whyOf({ reply_code: null, status: '4.2.1' })).toBe('The sender is suspended');
  // Another server says the same of its own mailbox.
  expect(whyOf({ reply_code: 450, status: '4.2.1' })).toBe('450 · 4.2.1 · The mailbox');
  expect(whyOf({ reply_code: null, status: null })).toBeNull();
});
