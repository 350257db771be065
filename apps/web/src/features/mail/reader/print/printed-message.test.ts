import { expect, test } from 'vitest';
import type { MessageView } from '../../state/view-model.ts';
import { toPrinted } from './printed-message.ts';

test('a printout names date, sender, every recipient, and the attachments with their sizes', () => {
  const to = Array.from({ length: 300 }, (_, number) => ({ name: '', address: `p${number}@outside.test` }));
  const { head, attachments } = toPrinted(
    {
      from: { name: 'Olga', address: 'olga@outside.test' },
      to,
      cc: [],
      date: '2026-03-03T09:15:00Z',
      body: { kind: 'empty' },
      attachments: [
        { name: 'plan.pdf', sizeBytes: 2048 },
        { name: 'list.txt', sizeBytes: 10 },
      ],
    } as unknown as MessageView,
    'Plans',
  );
  const values = new Map(head);
  expect(values.get('From')).toBe('Olga <olga@outside.test>');
  expect(values.get('To')).toContain('p299@outside.test');
  expect(values.get('Date')).toContain('2026');
  expect(attachments).toBe('Attachments: plan.pdf (2.00 KB), list.txt (10.00 B)');
});
