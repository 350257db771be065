import { describe, expect, test } from 'vitest';
import { SRS_DAYS } from '../../../base/limits.ts';
import { createMasterKey } from '../../../base/master-key.ts';
import { createSrs, isSrsShaped } from './srs.ts';

const srs = createSrs(createMasterKey(new Uint8Array(32).fill(7)));
const NOW = new Date('2026-11-23T12:00:00Z');
const DAY_MS = 86_400_000;
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const wrap = (sender: string, now = NOW) => srs.wrap(sender, 'keyfold.test', now) ?? '';

// Worked out by another program from the description in srs.ts.
describe('our rewritten senders do not change, or bounces of mail under way would be lost', () => {
  test.each([
    ['al@sender.test', 'SRS0=AE5XQS6D=JM=sender.test=al@keyfold.test'],
    ['Al.Bo+x=y@Sender.Test', 'SRS0=U4HLJTYE=JM=sender.test=Al.Bo+x=y@keyfold.test'],
    ['SRS0=abcd=QX=far.test=eve@relay.test', 'SRS1=CKNJYQAF=relay.test==abcd=QX=far.test=eve@keyfold.test'],
    ['srs0+abcd=QX=far.test=eve@relay.test', 'SRS1=ZWPVW77S=relay.test=+abcd=QX=far.test=eve@keyfold.test'],
    [
      'SRS1=zzzz=First.test==abcd=QX=far.test=eve@second.test',
      'SRS1=VKLJRFZS=first.test==abcd=QX=far.test=eve@keyfold.test',
    ],
  ])('%s', (sender, rewritten) => {
    expect(wrap(sender)).toBe(rewritten);
  });
});

test.each(['al@sender.test', 'Al.Bo+x=y@sender.test', 'SRS0=abcd=QX=far.test=eve@relay.test'])(
  '%s comes back as it was',
  sender => {
    expect(srs.unwrap(wrap(sender), NOW)).toBe(sender);
  },
);

test('a sender that was rewritten twice elsewhere leads back to the first of them', () => {
  const again = wrap('SRS1=zzzz=first.test==abcd=QX=far.test=eve@second.test');
  expect(srs.unwrap(again, NOW)).toBe('SRS0=abcd=QX=far.test=eve@first.test');
});

test('case may change on the way', () => {
  for (const sender of ['al@sender.test', 'SRS0=ab2d=QX=far.test=eve@relay.test'])
    for (const changed of [wrap(sender).toLowerCase(), wrap(sender).toUpperCase()])
      expect(srs.unwrap(changed, NOW)?.toLowerCase()).toBe(sender.toLowerCase());
});

test.each(['al@sender.test', 'SRS0=abcd=QX=far.test=eve@relay.test'])(
  'no character of what stands for %s can be another one',
  sender => {
    const rewritten = wrap(sender);
    for (let at = 5; at < rewritten.length; at++) {
      const other = rewritten[at]?.toLowerCase() === 'q' ? 'r' : 'q';
      const changed = rewritten.slice(0, at) + other + rewritten.slice(at + 1);
      expect(srs.unwrap(changed, NOW), changed).toBeNull();
    }
  },
);

test('it is good for some weeks, and never again when its two characters come round', () => {
  for (const sender of ['al@sender.test', 'SRS0=abcd=QX=far.test=eve@relay.test']) {
    const rewritten = wrap(sender);
    for (const days of [0, 1, SRS_DAYS, -1])
      expect(srs.unwrap(rewritten, later(days)), `${days}`).toBe(sender);
    for (const days of [SRS_DAYS + 1, 400, 1024, 1025, -2])
      expect(srs.unwrap(rewritten, later(days)), `${days}`).toBeNull();
  }
});

test('another key, or another domain of ours, makes other ones', () => {
  const others = createSrs(createMasterKey(new Uint8Array(32).fill(8)));
  expect(others.unwrap(wrap('al@sender.test'), NOW)).toBeNull();
  expect(srs.unwrap(wrap('al@sender.test').replace('keyfold.test', 'other.test'), NOW)).toBeNull();
});

test('what has no such form has none', () => {
  for (const sender of ['', 'al', '"al bo"@sender.test', 'öl@sender.test', `${'a'.repeat(60)}@sender.test`])
    expect(srs.wrap(sender, 'keyfold.test', NOW), sender).toBeNull();
  expect(srs.wrap(`${'a'.repeat(35)}@sender.test`, 'keyfold.test', NOW)?.split('@')[0]?.length).toBe(64);
});

test.each([
  'SRS0@keyfold.test',
  'SRS0=@keyfold.test',
  'SRS0=AAAAAAAA=AA=sender.test=al@keyfold.test',
  'SRS0=AAAA=AA=sender.test=al@keyfold.test',
  'SRS0=ÄÄÄÄÄÄÄÄ=AA=sender.test=al@keyfold.test',
  'SRS1=AAAAAAAA=relay.test==abcd=QX=far.test=eve@keyfold.test',
  'al@keyfold.test',
  '',
])('%j is none of ours', address => {
  expect(srs.unwrap(address, NOW)).toBeNull();
});

test('the shape alone is told by its beginning', () => {
  expect(isSrsShaped('srs0=x@keyfold.test')).toBe(true);
  expect(isSrsShaped('SRS1+x@keyfold.test')).toBe(true);
  expect(isSrsShaped('srs0x@keyfold.test')).toBe(false);
});
