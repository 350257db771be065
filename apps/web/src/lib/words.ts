// Small pieces of written language: plurals, grouped numbers, lists of names, initials.

const numberFormat = new Intl.NumberFormat('en');
const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** A number with grouped thousands, as in "2,400". */
export function formatCount(count: number): string {
  return numberFormat.format(count);
}

/** A number with its noun, as in "1 message" or "2,400 messages". */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Names joined for a sentence, as in "Ines, Tomasz, and Karl". */
export function joinNames(names: readonly string[]): string {
  return listFormat.format(names);
}

/** Up to two capitals that stand for a name or an address; "?" when it has no letter or digit. */
export function initialsOf(name: string): string {
  const parts = name.split(/[\s,.@_-]+/u).filter(part => /[\p{L}\p{N}]/u.test(part));
  const letters = parts.slice(0, 2).map(part => part.match(/[\p{L}\p{N}]/u)?.[0] ?? '');
  return letters.join('').toUpperCase() || '?';
}
