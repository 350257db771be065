import { expect, test } from 'vitest';
import type { MailRowData } from './mail-cache.ts';
import { toRowViews } from './row-view.ts';

/** Somebody's own copy of a letter to two people, as far as a row looks at it. */
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

const seen = (mail: Partial<MailRowData['mail']>) =>
  toRowViews([rowOf(mail)], [], new Date('2026-11-20T08:00:00')).map(({ sealed, note }) => [sealed, note]);

test('the sealed and the plain copy of a letter that waits are told apart', () => {
  const waits = { scheduled: true, send_at: '2026-11-20T09:00:00' };
  expect(seen({ ...waits, public: false })).toEqual([
    ['known', expect.stringMatching(/^Sends .*\d$|^Sends .*M$/)],
  ]);
  expect(seen({ ...waits, public: true })).toEqual([['outside', expect.stringMatching(/, not encrypted$/)]]);
});

test('of a letter that was sent the row says nothing', () => {
  expect(seen({ scheduled: false, snoozed_until: null, public: true })).toEqual([['outside', undefined]]);
  expect(seen({ scheduled: false, snoozed_until: null, public: false })).toEqual([['sealed', undefined]]);
});
