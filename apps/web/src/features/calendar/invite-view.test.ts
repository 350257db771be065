// Which card a message gets, in every combination of invitation, update, cancellation and answer.
import { readInvitation } from '@keyfold/mail/ics/invitation';
import { expect, test } from 'vitest';
import type { MailInvite } from './invite-queries.ts';
import { type InviteView, toInviteView } from './invite-view.ts';
import { stateWords } from './invite-words.ts';

const options = { now: new Date('2026-03-01T12:00:00Z'), zone: 'Europe/Berlin' };
let count = 0;

function mail(lines: readonly string[], method = 'REQUEST', isSent = false, from = 'ada@x'): MailInvite {
  const text = [
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    'UID:e@x',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  count += 1;
  return {
    mailId: `mail${count}`,
    messageId: `<${count}@x>`,
    isSent,
    receivedAt: `2026-02-01T00:00:${String(count).padStart(2, '0')}Z`,
    from,
    needsProof: false,
    isDoubtful: false,
    read: { kind: 'read', invitation: readInvitation(new TextEncoder().encode(text.join('\r\n')), options) },
    files: [0],
  };
}

const event = [
  'DTSTART:20260401T100000Z',
  'SUMMARY:Tea',
  'ORGANIZER:mailto:ada@x',
  'ATTENDEE:mailto:bob@x',
  'ATTENDEE;CN=Eve:mailto:eve@x',
];

function view(
  mine: MailInvite,
  all: readonly MailInvite[],
  own = 'bob@x',
  kept: InviteView['answer'] = null,
): InviteView {
  if (mine.read.kind !== 'read') throw new Error('not read');
  return toInviteView(mine, mine.read.invitation, all, address => address === own, kept);
}

test('a guest is asked to answer, the organizer sees their own event, and others only view it', () => {
  const invite = mail(event);
  expect(view(invite, [invite])).toMatchObject({ kind: 'ask', me: { address: 'bob@x' }, answer: null });
  expect(view(invite, [invite], 'ada@x')).toMatchObject({ kind: 'own', isOrganizer: true });
  expect(view(invite, [invite], 'zoe@x')).toMatchObject({ kind: 'info', me: null });
  expect(view(mail(event, 'PUBLISH'), []).kind).toBe('info');
});

test('an update makes the older invitation outdated, is marked as changed, and asks again', () => {
  const old = mail(event);
  const updated = mail([...event, 'SEQUENCE:1']);
  const all = [old, updated];
  expect(view(old, all)).toMatchObject({ kind: 'outdated', isCalledOff: false });
  expect(view(updated, all)).toMatchObject({ kind: 'ask', isChanged: true });
  expect(view(updated, [updated]).isChanged).toBe(false);
});

test('a cancellation ends older invitations but not a later one', () => {
  const old = mail(event);
  const canceled = mail([...event, 'SEQUENCE:1'], 'CANCEL');
  const again = mail([...event, 'SEQUENCE:2']);
  expect(view(old, [old, canceled])).toMatchObject({ kind: 'outdated', isCalledOff: true });
  expect(view(canceled, [old, canceled]).kind).toBe('cancelled');
  expect(view(again, [old, canceled, again]).kind).toBe('ask');
});

test('a change to one date of a series leaves the others alone', () => {
  const series = mail([...event, 'RRULE:FREQ=DAILY']);
  const moved = mail([...event, 'SEQUENCE:1', 'RECURRENCE-ID:20260402T100000Z']);
  const off = mail(['RECURRENCE-ID:20260403T100000Z', 'SEQUENCE:1'], 'CANCEL');
  const all = [series, moved, off];
  expect(view(series, all).kind).toBe('ask');
  expect(view(moved, all).kind).toBe('ask');
});

test('the organizer’s card combines the answers of guests, with the newest of each', () => {
  const invite = mail(event, 'REQUEST', true);
  const reply = (answer: string, at: string) =>
    mail(
      [`ATTENDEE;PARTSTAT=${answer}:mailto:EVE@x`, `DTSTAMP:${at}`, 'ORGANIZER:mailto:ada@x'],
      'REPLY',
      false,
      'eve@x',
    );
  const all = [invite, reply('DECLINED', '20260203T000000Z'), reply('ACCEPTED', '20260202T000000Z')];
  const { guests, source } = view(invite, all, 'ada@x');
  expect(guests.map(({ answer }) => answer)).toEqual(['NEEDS-ACTION', 'DECLINED']);
  expect(source).toBe(invite);
  const [, last] = all;
  if (last === undefined) throw new Error('none');
  // A short answer takes the title from the invitation beside it.
  expect(view(last, all, 'ada@x')).toMatchObject({ kind: 'answered', title: 'Tea' });
});

test('only the organizer can cancel or change an event', () => {
  const invite = mail(event);
  for (const forged of [
    mail([...event, 'SEQUENCE:9'], 'CANCEL', false, 'eve@x'),
    mail([...event, 'SEQUENCE:9'], 'REQUEST', false, 'eve@x'),
    { ...mail([...event, 'SEQUENCE:9'], 'CANCEL'), isDoubtful: true },
  ])
    expect(view(invite, [invite, forged])).toMatchObject({ kind: 'ask', isCalledOff: false });
});

test('an answer counts only from the guest it names, and the card shows the actual sender', () => {
  const invite = mail(event, 'REQUEST', true);
  const lines = ['ATTENDEE;CN=Eve;PARTSTAT=ACCEPTED:mailto:eve@x', 'ORGANIZER:mailto:ada@x'];
  const forged = mail(lines, 'REPLY', false, 'mallory@y');
  const doubtful = { ...mail(lines, 'REPLY', false, 'eve@x'), isDoubtful: true };
  for (const one of [forged, doubtful])
    expect(view(invite, [invite, one], 'ada@x').guests[1]?.answer).toBe('NEEDS-ACTION');
  expect(stateWords(view(forged, [invite, forged], 'ada@x'))).toBe('mallory@y accepted');
  const own = mail(lines, 'REPLY', false, 'eve@x');
  expect(stateWords(view(own, [invite, own], 'ada@x'))).toBe('Eve accepted');
});

test('shows the answer stored for this version, otherwise the one in the file', () => {
  const invite = mail([...event.slice(0, 3), 'ATTENDEE;PARTSTAT=TENTATIVE:mailto:bob@x']);
  expect(view(invite, [invite]).answer).toBe('tentative');
  expect(view(invite, [invite], 'bob@x', 'declined').answer).toBe('declined');
});

test('hides a description from 500 characters, or 300 on a short card, instead of truncating it', () => {
  const described = (characters: number) => [...event, `DESCRIPTION:${'d'.repeat(characters)}`];
  const shown = (characters: number, method: string) => {
    const one = mail(described(characters), method);
    return view(one, [one]).description.length;
  };
  expect(shown(499, 'REQUEST')).toBe(499);
  expect(shown(500, 'REQUEST')).toBe(0);
  expect(shown(299, 'CANCEL')).toBe(299);
  expect(shown(300, 'CANCEL')).toBe(0);
});

test('an answer that the user sent is distinguished from a received one and shows what it said', () => {
  const invite = mail(event);
  const accepted = ['DTSTART:20260401T100000Z', 'SUMMARY:Tea', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@x'];
  const sent = mail(accepted, 'REPLY', true, 'bob@x');
  expect(view(sent, [invite, sent], 'bob@x', 'declined')).toMatchObject({
    kind: 'ownAnswer',
    answer: 'accepted',
    title: 'Tea',
  });
  expect(view(mail(accepted, 'REPLY', false, 'bob@x'), [invite], 'ada@x').kind).toBe('answered');
});

test('a declined time proposal shows a line to the organizer and a card to the guest', () => {
  const lines = ['SUMMARY:Tea', 'ORGANIZER:mailto:ada@x', 'ATTENDEE:mailto:bob@x'];
  const sent = view(mail(lines, 'DECLINECOUNTER', true, 'ada@x'), [], 'ada@x', 'accepted');
  expect(sent).toMatchObject({ kind: 'ownRefusal', answer: null, title: 'Tea' });
  expect(stateWords(sent)).toBe('You kept the original time');
  const got = view(mail(lines, 'DECLINECOUNTER', false, 'ada@x'), []);
  expect(got.kind).toBe('counterDeclined');
  expect(stateWords(got)).toBe('Your proposed time was declined.');
});
