import { expect, test } from 'vitest';
import { safeFileName } from './safe-file-name.ts';

test('keeps letters and removes path and control characters', () => {
  expect(safeFileName('Übersicht 2026.pdf')).toBe('Übersicht 2026.pdf');
  expect(safeFileName('../../etc/passwd')).toBe('_.._etc_passwd');
  expect(safeFileName('invoice\u202Efdp.exe')).toBe('invoicefdp.exe');
  expect(safeFileName('...')).toBe('file');
  expect(safeFileName('a\r\nb')).toBe('ab');
});

test.each([
  'Überweisung №5 – März.pdf',
  'تقرير ٢٠٢٦.pdf',
  'می‌خواهم.txt',
  '請求書（三月）.xlsx',
  '보고서 최종.hwp',
  'Ελληνικά & Русский, 50%, [1] {2} #3 @4 ~5 ^6 +7=8;.odt',
  '👩‍🚒❤️🏴󠁧󠁢󠁥󠁮󠁧󠁿.png',
  "L'été d’Ines.jpg",
  'archive.tar.gz',
  'console.log',
])('%s keeps its letters', name => {
  expect(safeFileName(name)).toBe(name);
});

test.each([
  ['a:b*c?d"e<f>g|h\\i/j.txt', 'a_b_c_d_e_f_g_h_i_j.txt'],
  ['\u202egpj.exe', 'gpj.exe'],
  ['a\u2066b\u2069\u200e\u061c\ufeff.pdf', 'ab.pdf'],
  ['CON', 'CON_'],
  ['aux.txt', 'aux_.txt'],
  ['com1.tar.gz', 'com1_.tar.gz'],
  ['notes. . ', 'notes'],
  ['  x.pdf ', 'x.pdf'],
  ['a\u2028b', 'ab'],
  ['u\u0308ber.txt', 'über.txt'],
  ['\ud800x', '_x'],
  ['\u200b', 'file'],
])('%j is saved as %j', (name, saved) => {
  expect(safeFileName(name)).toBe(saved);
});

test('long names are cut by bytes, between characters, and keep their extension', () => {
  const size = (text: string) => new TextEncoder().encode(text).length;
  for (const letter of ['a', 'ü', '三', '👩‍🚒']) {
    const saved = safeFileName(`${letter.repeat(300)}.pdf`);
    expect(saved).toMatch(/\.pdf$/);
    expect(size(saved)).toBeLessThanOrEqual(220);
    expect(saved.slice(0, -4).replaceAll(letter, '')).toBe('');
  }
  expect(size(safeFileName(`a.${'x'.repeat(400)}`))).toBeLessThanOrEqual(220);
  expect(safeFileName('.'.repeat(1_000_000))).toBe('file');
});
