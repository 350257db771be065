// Keyfold's own invitations, parsed back by its own reader: the plan survives unchanged, zones are
// described for programs without a zone table, and each token appears only with its own guest.
import { describe, expect, test } from 'vitest';
import { formatEvent } from './compose-event.ts';
import { readInvitation } from './invitation.ts';

const options = { now: new Date('2026-03-01T12:00:00Z'), zone: 'Europe/Berlin' };
const bytes = (text: string) => new TextEncoder().encode(text);

describe('a generated invitation', () => {
  const plan = {
    uid: 'u1@keyfold.test',
    sequence: 0,
    organizer: { name: 'Ada', address: 'ada@keyfold.test' },
    summary: 'Weekly',
    location: 'Room',
    description: 'Notes',
    start: '2026-01-06T09:30:00',
    end: '2026-01-06T10:00:00',
    isAllDay: false,
    zone: 'Europe/Berlin',
    repeat: { frequency: 'WEEKLY', lastDay: '2026-06-30' },
  } as const;
  const guests = [
    { name: 'Bob', address: 'bob@example.org', token: 'token_of_bob_0123456789' },
    { name: '', address: 'eve@example.org' },
  ];

  test('is read back as planned', () => {
    const text = formatEvent({ method: 'REQUEST', plan, guests, now: options.now });
    const invitation = readInvitation(bytes(text), options);
    expect(invitation).toMatchObject({
      method: 'REQUEST',
      uid: plan.uid,
      summary: 'Weekly',
      start: { instant: '2026-01-06T08:30:00.000Z', zone: 'Europe/Berlin' },
      next: { start: { local: '2026-03-03T09:30:00' } },
    });
    expect(invitation.guests.map(({ token }) => token)).toEqual(['token_of_bob_0123456789', null]);
    expect(invitation.repetition?.until?.local).toBe('2026-06-30T23:59:59');
  });

  test.each([
    'Europe/Berlin',
    'America/New_York',
    'Australia/Sydney',
    'Asia/Kolkata',
    'America/Sao_Paulo',
    'Africa/Cairo',
  ])('describes %s so that clients without a time zone table read the same times', zone => {
    for (const month of ['01', '04', '07', '11']) {
      const text = formatEvent({
        method: 'REQUEST',
        plan: {
          ...plan,
          zone,
          repeat: null,
          start: `2026-${month}-15T09:30:00`,
          end: `2026-${month}-15T10:00:00`,
        },
        guests,
        now: options.now,
      });
      const byName = readInvitation(bytes(text), options).start;
      const byDescription = readInvitation(bytes(text.replaceAll(zone, 'Nowhere')), options).start;
      expect(byName.zone).toBe(zone);
      expect(byDescription.zone).toBeNull();
      expect(byDescription.instant).toBe(byName.instant);
    }
  });

  test('that is canceled carries no token', () => {
    const text = formatEvent({ method: 'CANCEL', plan: { ...plan, sequence: 1 }, guests, now: options.now });
    expect(text).not.toContain('token_of_bob');
    expect(readInvitation(bytes(text), options)).toMatchObject({
      method: 'CANCEL',
      status: 'CANCELLED',
      sequence: 1,
    });
  });
});
