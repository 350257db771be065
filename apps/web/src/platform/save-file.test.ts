import { expect, test } from 'vitest';
import { safeFileName } from './save-file.ts';

test('a name keeps its letters and loses what is more than a name', () => {
  expect(safeFileName('Übersicht 2026.pdf')).toBe('Übersicht 2026.pdf');
  expect(safeFileName('../../etc/passwd')).toBe('_.._etc_passwd');
  expect(safeFileName('invoice\u202Efdp.exe')).toBe('invoicefdp.exe');
  expect(safeFileName('...')).toBe('file');
  expect(safeFileName('a\r\nb')).toBe('ab');
});
