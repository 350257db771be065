import { expect, test } from 'vitest';
import {
  acceptKeys,
  BOUND_PEOPLE_MAX,
  type Book,
  bookSchema,
  clearMismatch,
  emptyBook,
  findPerson,
  findPin,
  fitting,
  judgeAddress,
  judgeKeys,
  markMismatch,
  pinFirst,
  removeContact,
  unverify,
  verifyKeys,
  withPerson,
} from './pins.ts';

const bob = 'bob@keyfold.test';
const keysA = { dh: 'dh-a', digest: 'digest-a' };
const keysB = { dh: 'dh-b', digest: 'digest-b' };
const pinned = pinFirst(emptyBook, [{ email: bob, ...keysA }], 1);
const verified = verifyKeys(pinned, bob, keysA, 'compared', 2);
const judge = (book: Book, digest: string | null) => judgeKeys(findPin(book, bob), digest);

test('the first keys are pinned, and other keys count as a changed key', () => {
  expect(judge(emptyBook, 'digest-a')).toBe('sealed');
  expect(judge(pinned, 'digest-a')).toBe('sealed');
  expect(judge(pinned, 'digest-b')).toBe('key_changed');
});

test('a pinned contact without keys counts as a changed key, not as plaintext', () => {
  expect(judge(emptyBook, null)).toBe('plain');
  expect(judge(pinned, null)).toBe('key_changed');
  expect(judge(acceptKeys(pinned, bob, null, 3), null)).toBe('plain');
});

test('a first pin does not replace an existing one', () => {
  expect(pinFirst(verified, [{ email: bob, ...keysB }], 9)).toBe(verified);
});

test('a verification applies only to the keys it was made for', () => {
  expect(judge(verified, 'digest-a')).toBe('verified');
  expect(judge(verified, 'digest-b')).toBe('key_changed');
  const accepted = acceptKeys(verified, bob, keysB, 3);
  expect(judge(accepted, 'digest-b')).toBe('sealed');
  expect(findPerson(accepted, bob)?.former).toEqual(['dh-a']);
  expect(acceptKeys(verified, bob, keysA, 3)).toEqual(verified);
  expect(judge(verifyKeys(verified, bob, keysB, 'scanned', 3), 'digest-b')).toBe('verified');
  expect(judge(unverify(verified, bob), 'digest-a')).toBe('sealed');
});

test('removing and re-adding a contact does not clear a changed key', () => {
  const contact = withPerson(verified, bob, one => ({ ...one, isContact: true, note: 'x' }));
  const grouped = { ...contact, groups: [{ id: 'g', name: 'G', emails: [bob, 'eve@keyfold.test'] }] };
  const removed = removeContact(grouped, bob);
  expect(findPerson(removed, bob)).toMatchObject({ isContact: false, note: '' });
  expect(removed.groups[0]?.emails).toEqual(['eve@keyfold.test']);
  expect(judge(removed, 'digest-b')).toBe('key_changed');
  const plain = withPerson(emptyBook, 'out@example.org', one => ({ ...one, isContact: true }));
  expect(removeContact(plain, 'out@example.org').people).toEqual([]);
});

test('a safety number mismatch applies to every key and spelling until it is reviewed', () => {
  const marked = markMismatch(verified, bob, keysA, 4);
  for (const digest of ['digest-a', 'digest-b', null]) {
    expect(judgeAddress(marked, 'Bob+shop@keyfold.test', digest)).toBe('mismatch');
    expect(judgeAddress(removeContact(marked, bob), bob, digest)).toBe('mismatch');
  }
  expect(judgeAddress(bookSchema.parse(JSON.parse(JSON.stringify(marked))), bob, null)).toBe('mismatch');
  // An earlier verification is gone; changed or missing keys still block sending.
  const undone = clearMismatch(marked, 'bob+shop@keyfold.test');
  expect(judgeAddress(undone, bob, 'digest-a')).toBe('sealed');
  expect(judgeAddress(undone, bob, 'digest-b')).toBe('key_changed');
  expect(judgeAddress(undone, bob, null)).toBe('key_changed');
  expect(judgeAddress(verifyKeys(marked, bob, keysA, 'compared', 5), bob, 'digest-a')).toBe('verified');
  // The address had no pin before. Removing the mismatch does not allow sending unencrypted.
  const stranger = clearMismatch(markMismatch(emptyBook, bob, keysA, 4), bob);
  expect(judgeAddress(stranger, bob, null)).toBe('key_changed');
  // The mismatch concerned keys other than the pinned ones, so the verification survives its
  // removal.
  expect(judgeAddress(clearMismatch(markMismatch(verified, bob, keysB, 4), bob), bob, 'digest-a')).toBe(
    'verified',
  );
});

test('an address with a tag has the keys of its user, in any case', () => {
  for (const address of ['bob+news@keyfold.test', 'Bob@Keyfold.TEST ', 'BOB+x+y@keyfold.test'])
    expect(findPin(pinned, address)?.digest, address).toBe('digest-a');
  expect(findPin(pinned, 'bob@other.test')).toBeNull();
  const byTag = pinFirst(emptyBook, [{ email: 'bob+news@keyfold.test', ...keysA }], 1);
  expect(judge(byTag, 'digest-b')).toBe('key_changed');
});

test('a full book evicts the least recent recipients, never contacts or verified people', () => {
  const many = pinFirst(
    verifyKeys(
      withPerson(emptyBook, 'old@x.test', one => ({ ...one, isContact: true })),
      bob,
      keysA,
      'scanned',
      0,
    ),
    Array.from({ length: BOUND_PEOPLE_MAX }, (_, index) => ({ email: `p${index}@x.test`, ...keysB })),
    5,
  );
  const odd = markMismatch(many, 'p8@x.test', keysB, 1);
  const aged = withPerson(odd, 'p7@x.test', one => ({ ...one, pin: one.pin && { ...one.pin, at: 1 } }));
  const kept = fitting(aged);
  expect(kept.people).toHaveLength(BOUND_PEOPLE_MAX + 1);
  expect(findPerson(kept, 'p7@x.test')).toBeNull();
  expect(findPerson(kept, 'old@x.test')).not.toBeNull();
  expect(findPerson(kept, 'p8@x.test')).not.toBeNull();
  expect(judge(kept, 'digest-a')).toBe('verified');
});

// The directory treats all of these as one address. A pin that another spelling bypasses would
// protect nobody.
test('every spelling that the directory accepts is the same address', () => {
  for (const address of [
    'ｂｏｂ@keyfold.test',
    'bob@ｋｅｙｆｏｌｄ.test',
    'bob@keyfold。test',
    'ｂob＋news@Keyfold.test',
  ])
    expect(judgeKeys(findPin(pinned, address), 'digest-b'), address).toBe('key_changed');
  const abroad = pinFirst(emptyBook, [{ email: 'bob@bücher.test', ...keysA }], 1);
  expect(judgeKeys(findPin(abroad, 'bob@xn--bcher-kva.test'), 'digest-b')).toBe('key_changed');
  const before: unknown = { serial: 1, people: [{ ...pinned.people[0], email: 'bob@bücher.test' }] };
  expect(findPin(bookSchema.parse(before), 'bob@bücher.test')?.digest).toBe('digest-a');
});
