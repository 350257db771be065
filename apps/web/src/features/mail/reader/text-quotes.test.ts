import { expect, test } from 'vitest';
import { splitQuotes } from './text-quotes.ts';

test('answered quotes are distinguished from written lines and not collapsed', () => {
  expect(splitQuotes('Yes.\r\n\r\n> Shall we?\r\n> Ines\r\nMara')).toEqual([
    { quoted: false, folded: false, text: 'Yes.\n' },
    { quoted: true, folded: false, text: '> Shall we?\n> Ines' },
    { quoted: false, folded: false, text: 'Mara' },
  ]);
});

test('the quoted message at the end is collapsed with the line that names its author', () => {
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
  const outlook = splitQuotes(
    'Fine.\n\nFrom: Ines\nSent: Monday, 2 March 2026 10:00\nTo: Mara\nSubject: Lake\n\nShall we?',
  );
  expect(outlook.map(block => [block.folded, block.text.slice(0, 5)])).toEqual([
    [false, 'Fine.'],
    [true, 'From:'],
  ]);
});

test('a forward and a message of nothing but quotes are not collapsed', () => {
  expect(
    splitQuotes('See below\n\nFrom: Ines\nSent: Monday 2 March\nSubject: Lake\n\nx', true).some(
      block => block.folded,
    ),
  ).toBe(false);
  expect(splitQuotes('On Monday evening Ines wrote:\n> all of it').some(block => block.folded)).toBe(false);
  expect(splitQuotes('> all of it').some(block => block.folded)).toBe(false);
  expect(
    splitQuotes('From: Ines\nSent: Monday 2 March\nSubject: Lake\n\nx').some(block => block.folded),
  ).toBe(false);
});

const shape = (text: string) =>
  splitQuotes(text).map(({ quoted, folded, text: words }) => [
    quoted ? (folded ? 'folded' : 'quoted') : 'written',
    words.trim().split('\n')[0],
  ]);

test('a footer below the quoted message stays visible, and the quote stays collapsed', () => {
  const list = '_______________________________________________\nlake mailing list\nlake@lists.example\n';
  const answer = 'Fine.\n\nOn 2 Mar 2026, Ines <ines@a.example> wrote:\n> Shall we?\n';
  for (const footer of [
    list,
    `-- \nYou received this message because you joined.\n`,
    `\n${'='.repeat(70)}\n${list}`,
  ])
    expect(shape(answer + footer)).toEqual([
      ['written', 'Fine.'],
      ['folded', 'On 2 Mar 2026, Ines <ines@a.example> wrote:'],
      ['written', footer.trim().split('\n')[0]],
    ]);
  expect(shape(`> all of it\n${list}`).map(([kind]) => kind)).toEqual(['quoted', 'written']);
});

test('answers between quoted lines stay visible, also below an Outlook header', () => {
  expect(shape('Below.\n\n>> Lake?\n> Why not.\nYes.\n>> When?\n> May?\nNow.\n')).toEqual([
    ['written', 'Below.'],
    ['quoted', '>> Lake?'],
    ['written', 'Yes.'],
    ['quoted', '>> When?'],
    ['written', 'Now.'],
  ]);
  const outlook = '-----Original Message-----\nFrom: Ines\nSent: 2 May 2026\nTo: Mara\nSubject: Lake\n\n';
  expect(shape(`Below.\n\n${outlook}> Lake?\nYes.\n> When?\nNow.`).map(([kind]) => kind)).toEqual([
    'written',
    'quoted',
    'written',
    'quoted',
    'written',
  ]);
  expect(shape(`Yes.\n\n${outlook}> Lake?`)).toEqual([
    ['written', 'Yes.'],
    ['folded', '-----Original Message-----'],
  ]);
});

test('prose that looks like a message header is not collapsed', () => {
  expect(shape('I need:\n\nFrom: Berlin\nDate: 12 May\nTo: Paris\n\nPlease book it.')).toHaveLength(1);
  expect(shape('Look:\n\n---------- Forwarded message ---------\nFrom: a@b.example\n\nx')).toHaveLength(1);
});
