import { expect, test } from 'vitest';
import { fileNameOf } from './file-names.ts';

test('a given name is kept', () => {
  expect(fileNameOf({ filename: 'a b.pdf', mimeType: 'text/plain' })).toBe('a b.pdf');
});

test('a file without a name is named after its type', () => {
  expect(fileNameOf({ filename: null, mimeType: 'message/delivery-status' })).toBe('Delivery report.txt');
  expect(fileNameOf({ filename: null, mimeType: 'message/global-headers' })).toBe(
    'Headers of the message.txt',
  );
  expect(fileNameOf({ filename: '', mimeType: 'Image/PNG' })).toBe('Untitled.png');
  for (const mimeType of ['application/x-odd', 'constructor', '__proto__', ''])
    expect(fileNameOf({ filename: null, mimeType })).toBe('Untitled');
});

test('a name shows the real extension of the file', () => {
  expect(fileNameOf({ filename: 'invoice\u202efdp.exe', mimeType: 'text/plain' })).toBe('invoicefdp.exe');
  expect(fileNameOf({ filename: '\u202e', mimeType: 'image/png' })).toBe('Untitled.png');
  for (const gap of [' '.repeat(90), '\u00a0'.repeat(90), '\u3164'.repeat(9), ' \u200b\u2800 ', '\t\n'])
    expect(fileNameOf({ filename: `offer.pdf${gap}.exe `, mimeType: 'text/plain' })).toBe('offer.pdf .exe');
});
