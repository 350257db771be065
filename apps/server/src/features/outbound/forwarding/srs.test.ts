import { describe, expect, test } from 'vitest';
import { SRS_DAYS } from '../../../base/limits.ts';
import { createMasterKey } from '../../../base/master-key.ts';
import { createSrs, isSrsShaped } from './srs.ts';

const srs = createSrs(createMasterKey(new Uint8Array(32).fill(7)));
const NOW = new Date('2026-11-23T12:00:00Z');
const DAY_MS = 86_400_000;
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const wrap = (sender: string, now = NOW) => srs.wrap(sender, 'keyfold.test', now) ?? '';

// Computed by an independent program from the description in srs.ts.
describe('rewritten senders are stable, so that bounces of mail in transit still arrive', () => {
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
  '%s is restored from its rewritten form',
  sender => {
    expect(srs.unwrap(wrap(sender), NOW)).toBe(sender);
  },
);

test('a sender that was already rewritten twice resolves to the first forwarder', () => {
  const again = wrap('SRS1=zzzz=first.test==abcd=QX=far.test=eve@second.test');
  expect(srs.unwrap(again, NOW)).toBe('SRS0=abcd=QX=far.test=eve@first.test');
});

test('a rewritten sender survives case changes in transit', () => {
  for (const sender of ['al@sender.test', 'SRS0=ab2d=QX=far.test=eve@relay.test'])
    for (const changed of [wrap(sender).toLowerCase(), wrap(sender).toUpperCase()])
      expect(srs.unwrap(changed, NOW)?.toLowerCase()).toBe(sender.toLowerCase());
});

test.each(['al@sender.test', 'SRS0=abcd=QX=far.test=eve@relay.test'])(
  'changing any character of the rewritten form of %s invalidates it',
  sender => {
    const rewritten = wrap(sender);
    for (let at = 5; at < rewritten.length; at++) {
      const other = rewritten[at]?.toLowerCase() === 'q' ? 'r' : 'q';
      const changed = rewritten.slice(0, at) + other + rewritten.slice(at + 1);
      expect(srs.unwrap(changed, NOW), changed).toBeNull();
    }
  },
);

test('a rewritten sender expires after some weeks and stays invalid when its day counter wraps around', () => {
  for (const sender of ['al@sender.test', 'SRS0=abcd=QX=far.test=eve@relay.test']) {
    const rewritten = wrap(sender);
    for (const days of [0, 1, SRS_DAYS, -1])
      expect(srs.unwrap(rewritten, later(days)), `${days}`).toBe(sender);
    for (const days of [SRS_DAYS + 1, 400, 1024, 1025, -2])
      expect(srs.unwrap(rewritten, later(days)), `${days}`).toBeNull();
  }
});

test('a rewritten sender is invalid under another key or at another domain', () => {
  const others = createSrs(createMasterKey(new Uint8Array(32).fill(8)));
  expect(others.unwrap(wrap('al@sender.test'), NOW)).toBeNull();
  expect(srs.unwrap(wrap('al@sender.test').replace('keyfold.test', 'other.test'), NOW)).toBeNull();
});

test('a sender that cannot be rewritten returns null', () => {
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
])('%j is not one of our rewritten senders', address => {
  expect(srs.unwrap(address, NOW)).toBeNull();
});

test('an address is SRS-shaped by its prefix alone', () => {
  expect(isSrsShaped('srs0=x@keyfold.test')).toBe(true);
  expect(isSrsShaped('SRS1+x@keyfold.test')).toBe(true);
  expect(isSrsShaped('srs0x@keyfold.test')).toBe(false);
});
