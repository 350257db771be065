// Small pieces of written language: plurals, grouped numbers, lists of names, initials.
import { formatLocale } from './language.ts';
import { writeNumber } from './message-format.ts';

/** A number with grouped thousands, as in "2,400". */
export function formatCount(count: number): string {
  return writeNumber(formatLocale(), count);
}

/** Names joined for a sentence, as in "Ines, Tomasz, and Karl". */
export function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat(formatLocale(), { type: 'conjunction' }).format(names);
}

/** Up to two capitals that stand for a name or an address; "?" when it has no letter or digit. */
export function initialsOf(name: string): string {
  const parts = name.split(/[\s,.@_-]+/u).filter(part => /[\p{L}\p{N}]/u.test(part));
  const letters = parts.slice(0, 2).map(part => part.match(/[\p{L}\p{N}]/u)?.[0] ?? '');
  return letters.join('').toUpperCase() || '?';
}

/** Ada <ada@x.example>, or what there is of both. */
export const personWords = ({
  name,
  address,
}: {
  readonly name: string;
  readonly address: string;
}): string => (name === '' || address === '' ? name || address : `${name} <${address}>`);
