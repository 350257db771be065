import { expect, test } from 'vitest';
import { placesOf, suggest } from './suggestions.ts';

const seen = (query: string, folder: string) =>
  placesOf(query, folder).map(({ label, isChosen }) => (isChosen ? `[${label}]` : label));

test('the current search place is selected, and the alternative is offered beside it', () => {
  expect(seen('noon', 'recieved')).toEqual(['Inbox', '[Everywhere]']);
  expect(seen('noon in:inbox', 'recieved')).toEqual(['[Inbox]', 'Everywhere']);
  expect(seen('noon', 'Work')).toEqual(['Work', '[Everywhere]']);
});

test('a search that names another place shows that place, by any of its names', () => {
  expect(seen('in:sent noon', 'recieved')).toEqual(['[Sent]', 'Everywhere']);
  expect(seen('noon in:spam', 'sent')).toEqual(['[Spam]', 'Everywhere']);
  expect(seen('noon in:"Two words"', 'sent')).toEqual(['[Two words]', 'Everywhere']);
  expect(seen('noon in:anywhere', 'sent')).toEqual(['Sent', '[Everywhere]']);
  expect(seen('noon', 'all')).toEqual(['Inbox', '[Everywhere]']);
});

test('no place is selected for several places or an exclusion', () => {
  for (const query of ['noon -in:spam', 'noon in:sent in:inbox', '(in:sent OR in:drafts) noon'])
    expect(seen(query, 'archived'), query).toEqual(['Archive', 'Everywhere']);
});

test('choosing a place changes nothing else in the query', () => {
  const queries = (query: string, folder: string) => placesOf(query, folder).map(one => one.query);
  expect(queries('from:ines noon', 'recieved')).toEqual(['from:ines noon in:inbox', 'from:ines noon']);
  expect(queries('from:ines in:sent noon', 'recieved')).toEqual(['from:ines noon in:sent', 'from:ines noon']);
  expect(queries('noon', 'Two words')).toEqual(['noon in:"Two words"', 'noon']);
  expect(placesOf('noon', 'recieved').map(one => one.name)).toEqual([
    'Search in: Inbox',
    'Search in: everywhere',
  ]);
});

test('the suggestion list offers the place that is not searched', () => {
  const places = (typed: string) =>
    suggest(typed, { people: [{ name: 'Noon', address: 'noon@x.test' }], tags: [], folder: 'recieved' })
      .filter(one => one.kind === 'place')
      .map(({ label, query }) => [label, query]);
  expect(places('noon')).toEqual([['Search in: Inbox', 'noon in:inbox ']]);
  expect(places('in:inbox noon')).toEqual([['Search in: everywhere', 'noon']]);
});
