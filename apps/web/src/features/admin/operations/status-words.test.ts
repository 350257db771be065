import { expect, test } from 'vitest';
import { whyOf } from './status-words.ts';

test('a reply is shown by its codes and their meaning', () => {
  expect(whyOf({ reply_code: 451, status: '4.7.1' })).toBe('451 · 4.7.1 · Policy or security');
  expect(whyOf({ reply_code: 452, status: '4.2.2' })).toBe('452 · 4.2.2 · Recipient mailbox');
  expect(whyOf({ reply_code: 450, status: '4.0.0' })).toBe('450 · 4.0.0 · Unspecified reason');
});

test('a missing reply and failures of this service are named as such', () => {
  expect(whyOf({ reply_code: null, status: '4.4.1' })).toBe('No response · 4.4.1 · Network or DNS');
  expect(whyOf({ reply_code: null, status: '4.3.5' })).toBe('Error in this service');
  expect(whyOf({ reply_code: null, status: '4.2.1' })).toBe('Sender suspended');
  // Another server's reply is about its own mailbox.
  expect(whyOf({ reply_code: 450, status: '4.2.1' })).toBe('450 · 4.2.1 · Recipient mailbox');
  expect(whyOf({ reply_code: null, status: null })).toBeNull();
});
