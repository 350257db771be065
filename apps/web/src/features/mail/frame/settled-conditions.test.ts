import { expect, test } from 'vitest';
import { settleAll, settleMedia } from './settled-conditions.ts';

test.each([
  ['screen', 'screen', 'screen'],
  [
    'only screen and (max-width:600px)',
    'only screen and (max-width:600px)',
    'only screen and (max-width:600px)',
  ],
  ['(min-width:40em)', '(min-width:640px)', '(min-width:640px)'],
  ['(20.5rem <= width < 700px)', '(328px <= width < 700px)', '(328px <= width < 700px)'],
  ['(width >  5px)', '(width >  5px)', '(width >  5px)'],
  ['(prefers-color-scheme:dark)', '(prefers-color-scheme:dark)', '(prefers-color-scheme:dark)'],
  ['(hover)', '(min-width:0px)', '(max-width:0px)'],
  ['not all and (hover:hover)', 'not all and (min-width:0px)', 'not all and (max-width:0px)'],
  [
    'screen and (-webkit-min-device-pixel-ratio:2)',
    'screen and (min-width:0px)',
    'screen and (max-width:0px)',
  ],
  ['(max-device-width:480px)', '(min-width:0px)', '(max-width:0px)'],
  ['(min-width:calc(1ch * 50))', '(min-width:0px)', '(max-width:0px)'],
  ['(max-width:60ch)', '(min-width:0px)', '(max-width:0px)'],
  [
    '((max-width:600px) and (not (pointer:fine))),print and (resolution:2dppx)',
    '((max-width:600px) and (not (min-width:0px))),print and (min-width:0px)',
    '((max-width:600px) and (not (max-width:0px))),print and (max-width:0px)',
  ],
  ['(hover', '(min-width:0px)', '(max-width:0px)'],
])('resolves all conditions of %j except width and color scheme', (query, met, unmet) => {
  expect(settleMedia(query, true)).toBe(met);
  expect(settleMedia(query, false)).toBe(unmet);
});

test('@supports and @container conditions are resolved as a whole', () => {
  expect(settleAll(true)('supports', '(display:grid)')).toBe('all');
  expect(settleAll(false)('container', 'x (width > 1px)')).toBe('not all');
});

test.each([
  ['a string with a bracket in it', '(x:")")'],
  ['an escape', String.raw`(x:\29)`],
  ['a number of thousands of digits', `(min-width:${'1'.repeat(20_000)}px)`],
  ['brackets of thousands of levels', `${'('.repeat(20_000)}hover${')'.repeat(20_000)}`],
])('a query with %s is resolved as a whole', (_, query) => {
  expect(settleAll(true)('media', query)).toBe('all');
  expect(settleAll(false)('media', query)).toBe('not all');
});
