import { expect, test } from 'vitest';
import { setLanguage } from '../../../lib/language.ts';
import { rowLabel } from '../list/row-label.ts';
import { isMixed } from './folders.ts';
import type { MailRowData } from './mail-cache.ts';
import { peopleOf, rowViewOf } from './row-view.ts';

/** A user's copy of a message to two people, with the fields that a row reads. */
const rowOf = (mail: Partial<MailRowData['mail']>): MailRowData =>
  ({
    mail: { sent: true, draft: false, alert: false, tags: [], attachments: [], send_at: null, ...mail },
    opened: {
      failed: null,
      summary: {
        to: [
          { name: 'Bob', address: 'bob@keyfold.test' },
          { name: '', address: 'olga@outside.test' },
        ],
      },
    },
  }) as unknown as MailRowData;

const now = new Date('2026-11-20T08:00:00');

function seen(mail: Partial<MailRowData['mail']>) {
  const { sealed, note } = rowViewOf(rowOf(mail), [], now, false);
  return [sealed, note];
}

test('the sealed and the plain copy of a scheduled message are distinguished', () => {
  const waits = { scheduled: true, send_at: '2026-11-20T09:00:00' };
  expect(seen({ ...waits, public: false })).toEqual([
    'known',
    expect.stringMatching(/^Sends .*\d$|^Sends .*M$/),
  ]);
  expect(seen({ ...waits, public: true })).toEqual([
    'outside',
    expect.stringMatching(/^Sends .*, not end-to-end encrypted$/),
  ]);
});

test('a row without a name shows a placeholder and no initials', () => {
  const shown = (mail: Partial<MailRowData['mail']>, summary: object) => {
    const row = rowOf(mail);
    const opened = { ...row.opened, summary: { to: [], from: { name: '', address: '' }, ...summary } };
    const { fromName, isNobody } = rowViewOf({ ...row, opened } as unknown as MailRowData, [], now, false);
    return [fromName, isNobody];
  };
  const bob = { name: '', address: 'bob@keyfold.test' };
  expect(shown({ draft: true, sent: false }, {})).toEqual(['(No recipient)', true]);
  expect(shown({ draft: true, sent: false }, { to: [bob] })).toEqual(['bob@keyfold.test', false]);
  expect(shown({ sent: false }, {})).toEqual(['Unknown sender', true]);
  expect(shown({ sent: false }, { from: bob })).toEqual(['bob@keyfold.test', false]);
});

test('the row of a sent message has no note', () => {
  expect(seen({ scheduled: false, snoozed_until: null, public: true })).toEqual(['outside', undefined]);
  expect(seen({ scheduled: false, snoozed_until: null, public: false })).toEqual(['sealed', undefined]);
});

test('a row view is cached while the tags and the hour stay the same', () => {
  const tags = [{ name: 'Work', color: 'pink' as const }];
  const rows = Array.from({ length: 1_000 }, () => rowOf({ tags: ['Work'] }));
  const [first] = rows;
  if (first === undefined) throw new Error('no rows');
  const view = rowViewOf(first, tags, now, false);
  for (const row of rows) {
    rowViewOf(row, tags, now, false);
    expect(rowViewOf(first, tags, now, false)).toBe(view);
  }
  expect(view.tags).toEqual([{ name: 'Work', color: 'pink' }]);
  expect(rowViewOf(first, [], now, false).tags).toEqual([{ name: 'Work', color: 'gray' }]);
  expect(rowViewOf(first, [], new Date(now.getTime() + 3_600_000), false)).not.toBe(view);
});

test('a failed row shows a known reason, and a notice shows the service as its sender', () => {
  const summary = { subject: '', snippet: '', to: [], from: { name: 'Bank', address: 'pay@bank.example' } };
  const shown = (mail: object, failed: string | null) =>
    rowViewOf(
      { ...rowOf({ sent: false, ...mail }), opened: { failed, summary } } as unknown as MailRowData,
      [],
      now,
      false,
    );
  expect(shown({}, 'Missing salt').snippet).toBe('Missing salt');
  expect(shown({}, 'Cannot read properties of undefined').snippet).toBe('Failed to decrypt message');
  expect(shown({}, 'Missing salt').sealed).toBe('failed');
  const { fromName, fromAddress } = shown({ alert: true }, null);
  expect([fromName, fromAddress]).toEqual(['Keyfold', '']);
});

test('in lists that mix sent and received mail, a row of the user’s own mail is labeled with To:', () => {
  const shown = (mail: object, isMixed: boolean, to?: readonly object[]) => {
    const row = rowOf({ subject: '', ...mail } as Partial<MailRowData['mail']>);
    const from = { name: 'Carol', address: 'carol@keyfold.test' };
    const summary = { ...row.opened.summary, from, ...(to === undefined ? {} : { to }) };
    const mine = { ...row, opened: { ...row.opened, summary } } as unknown as MailRowData;
    const view = rowViewOf(mine, [], now, isMixed);
    return [peopleOf(view), rowLabel(view, 'Wed').split(', ').at(0)];
  };
  const both = ['To: Bob, olga@outside.test', 'To: Bob'];
  expect(shown({}, true)).toEqual(both);
  expect(shown({ sent: false, draft: true }, true)).toEqual(both);
  expect(shown({}, false)).toEqual(['Bob, olga@outside.test', 'Bob']);
  expect(shown({ sent: false, read: true }, true)).toEqual(['Carol', 'Carol']);
  expect(shown({ draft: true }, true, [])).toEqual(['(No recipient)', '(No recipient)']);
  const row = rowOf({});
  expect(rowViewOf(row, [], now, true).isTo).toBe(true);
  expect(rowViewOf(row, [], now, false).isTo).toBeUndefined();
  expect(
    ['recieved', 'all', 'archived', 'starred', 'Work', 'sent', 'drafts', 'scheduled'].filter(isMixed),
  ).toEqual(['recieved', 'all', 'archived', 'starred', 'Work']);
});

test('a message that has returned from snoozing has a note with its own translation', () => {
  setLanguage('de', { Snoozed: 'Zurückgestellt', 'note|Snoozed': 'War zurückgestellt' });
  const woken = seen({ snoozed: false, snoozed_until: '2026-11-20T07:00:00', read: false });
  setLanguage('en', {});
  expect(woken[1]).toBe('War zurückgestellt');
});
