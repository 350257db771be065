import { expect, test } from 'vitest';
import { splitQuotes } from './text-quotes.ts';

test('quoted lines that are answered are told from written ones, and not folded', () => {
  expect(splitQuotes('Yes.\r\n\r\n> Shall we?\r\n> Ines\r\nMara')).toEqual([
    { quoted: false, folded: false, text: 'Yes.\n' },
    { quoted: true, folded: false, text: '> Shall we?\n> Ines' },
    { quoted: false, folded: false, text: 'Mara' },
  ]);
});

test('the earlier mail at the end is folded with the line that names its author', () => {
  expect(
    splitQuotes(
      'Fine.\n\nOn Mon, 2 Mar 2026 at 10:00, Ines Almeida\n<ines@a.example> wrote:\n\n> Shall we?\n',
    ),
  ).toEqual([
    { quoted: false, folded: false, text: 'Fine.\n' },
    {
      quoted: true,
      folded: true,
      text: 'On Mon, 2 Mar 2026 at 10:00, Ines Almeida\n<ines@a.example> wrote:\n> Shall we?',
    },
  ]);
  const outlook = splitQuotes('Fine.\n\nFrom: Ines\nSent: Monday\nTo: Mara\n\nShall we?');
  expect(outlook.map(block => [block.folded, block.text.slice(0, 5)])).toEqual([
    [false, 'Fine.'],
    [true, 'From:'],
  ]);
});

test('a forward, and a mail that is nothing but a quotation, are not folded', () => {
  expect(splitQuotes('See below\n\nFrom: Ines\nSent: Monday\n\nx', true).some(block => block.folded)).toBe(
    false,
  );
  expect(splitQuotes('On Monday evening Ines wrote:\n> all of it').some(block => block.folded)).toBe(false);
  expect(splitQuotes('> all of it').some(block => block.folded)).toBe(false);
  expect(splitQuotes('From: Ines\nSent: Monday\n\nx').some(block => block.folded)).toBe(false);
});
