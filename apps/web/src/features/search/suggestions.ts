// Suggestions of the search field: recent searches, people of the loaded lists, operators with
// their values, and, only together with these, where to search. On its own that last one would
// cover the results, which offer it themselves. Each suggestion is a complete new query text.
import { joinQuery, operatorAtEnd, operatorsFor, replaceLast, splitQuery } from '@keyfold/search/chips';
import { type Operator, parseQuery } from '@keyfold/search/query';
import { t, tAs } from '../../lib/language.ts';
import { folders, recieved } from '../../paths.ts';
import { recentSearches } from './search-state.ts';

export type Suggestion = {
  readonly key: string;
  readonly kind: 'recent' | 'person' | 'operator' | 'value' | 'place';
  readonly label: string;
  readonly hint?: string;
  /** The query after choosing the suggestion. */
  readonly query: string;
  /** Choosing it completes the query. */
  readonly isFinal: boolean;
};

export type Person = { readonly name: string; readonly address: string };

const RECENT_SHOWN = 5;
const PEOPLE_SHOWN = 5;

const hintOf = (operator: Operator): string =>
  ({
    from: tAs('hint', 'the sender'),
    to: t('a recipient'),
    subject: t('words in the subject'),
    has: t('attachment'),
    tag: t('a tag'),
    is: t('unread, starred, archived …'),
    in: t('a folder'),
    before: t('a date, such as 2024-03-31'),
    after: t('a date, such as 2024-03-01'),
    filename: t('a file name'),
    larger: t('a size, such as 5M'),
    smaller: t('a size, such as 500k'),
  })[operator];

function valuesOf(operator: Operator, tags: readonly string[]): readonly string[] {
  if (operator === 'has') return ['attachment'];
  if (operator === 'is')
    return ['unread', 'read', 'starred', 'archived', 'flagged', 'draft', 'sent', 'snoozed'];
  if (operator === 'in') return ['inbox', 'sent', 'drafts', 'archive', 'spam', 'deleted', 'snoozed', 'all'];
  if (operator === 'tag') return tags;
  return operator === 'before' || operator === 'after' ? ['today', 'yesterday', '7d', '1m', '1y'] : [];
}

const quoted = (value: string): string => (/[\s()"]/.test(value) ? `"${value.replaceAll('"', ' ')}"` : value);

const starts = (text: string, by: string): boolean =>
  text
    .toLocaleLowerCase()
    .split(/[\s@.]+/)
    .some(word => word.startsWith(by)) || text.toLocaleLowerCase().startsWith(by);

function labelOf(word: string): string {
  const label = folders.find(one => one.tag === word)?.label;
  return label === undefined ? word : t(label);
}

/** Returns the word that users type for a folder. */
const placeWord = (word: string): string => (word === recieved ? 'inbox' : word);

/** Returns the suggestions for a typed query. */
export function suggest(
  typed: string,
  { people, tags, folder }: { people: readonly Person[]; tags: readonly string[]; folder: string },
): Suggestion[] {
  const { chips, text } = splitQuery(typed, false);
  const whole = (rest: string): string => joinQuery({ chips, text: rest });
  const open = operatorAtEnd(text);
  const found: Suggestion[] = [];
  if (open !== null) {
    const wanted = open.value.toLowerCase();
    if (open.operator === 'from' || open.operator === 'to') {
      for (const { name, address } of people
        .filter(one => starts(one.name, wanted) || starts(one.address, wanted))
        .slice(0, PEOPLE_SHOWN))
        found.push({
          key: address,
          kind: 'person',
          label: name || address,
          hint: address,
          query: `${whole(replaceLast(text, `${open.operator}:${address}`))} `,
          isFinal: true,
        });
    }
    for (const value of valuesOf(open.operator, tags).filter(one => one.toLowerCase().startsWith(wanted)))
      found.push({
        key: value,
        kind: 'value',
        label: `${open.operator}: ${value}`,
        query: `${whole(replaceLast(text, `${open.operator}:${quoted(value)}`))} `,
        isFinal: true,
      });
    return found;
  }
  const last = /(?:^|\s)(\S+)$/.exec(text)?.[1]?.toLocaleLowerCase() ?? '';
  for (const query of recentSearches()
    .filter(one => typed === '' || (one !== typed && one.startsWith(typed)))
    .slice(0, RECENT_SHOWN))
    found.push({ key: query, kind: 'recent', label: query, query, isFinal: true });
  if (last !== '')
    for (const { name, address } of people
      .filter(one => starts(one.name, last) || starts(one.address, last))
      .slice(0, PEOPLE_SHOWN))
      found.push({
        key: address,
        kind: 'person',
        label: name || address,
        hint: address,
        query: `${whole(replaceLast(text, `from:${address}`))} `,
        isFinal: true,
      });
  for (const operator of operatorsFor(text).slice(0, typed === '' ? 12 : 4))
    found.push({
      key: operator,
      kind: 'operator',
      label: `${operator}:`,
      hint: hintOf(operator),
      query: whole(replaceLast(text, `${operator}:`)),
      isFinal: false,
    });
  if (typed.trim() !== '' && found.length > 0) found.push(suggestPlace(typed, folder));
  return found;
}

/** One of the two scopes of a search. */
export type PlaceChoice = {
  readonly key: 'folder' | 'everywhere';
  readonly label: string;
  /** The full label, for use outside the group. */
  readonly name: string;
  /** The query after choosing the scope. */
  readonly query: string;
  readonly isChosen: boolean;
};

/**
 * Returns the two scopes of a query: the folder or tag that it names (else the open one), and
 * everywhere. When the query names several folders or excludes one, neither is chosen.
 */
export function placesOf(query: string, folder: string): readonly [PlaceChoice, PlaceChoice] {
  const { chips, text } = splitQuery(`${query.trim()} `, false);
  const without = joinQuery({ chips: chips.filter(one => one.operator !== 'in'), text: text.trim() });
  const named = parseQuery(query).conditions.flatMap(one => (one.kind === 'in' ? [one.place] : []));
  const [first] = chips.filter(one => one.operator === 'in' && !one.isNegated);
  const only = named.length === 1 && first !== undefined ? named[0] : undefined;
  const isAnywhere = named.length === 0 || only === 'all';
  const open = folder === 'all' ? recieved : folder;
  const here = isAnywhere || only === undefined ? open : only;
  return [
    {
      key: 'folder',
      label: labelOf(here),
      name: t('Search in: {place}', { place: labelOf(here) }),
      query: `${without} in:${quoted(placeWord(here))}`,
      isChosen: !isAnywhere && only === here,
    },
    {
      key: 'everywhere',
      label: t('Everywhere'),
      name: t('Search in: everywhere'),
      query: without,
      isChosen: isAnywhere,
    },
  ];
}

/** Suggests the same search in this folder or tag, or everywhere when the query names a place. */
function suggestPlace(query: string, folder: string): Suggestion {
  const [here, everywhere] = placesOf(query, folder);
  const { key, name, query: other } = everywhere.isChosen ? here : everywhere;
  return { key, kind: 'place', label: name, query: key === 'folder' ? `${other} ` : other, isFinal: true };
}
