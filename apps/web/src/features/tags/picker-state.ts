// Logic of the tag picker without UI: which tags match the typed text, their three states across
// many messages, and the resulting changes (docs/interface.md#tags).
import type { Tag } from '@keyfold/contract';

export type TagState = 'all' | 'some' | 'none';

/** Returns, for each tag on at least one message, whether all or some of the messages have it. */
export function tagStates(
  mails: readonly { readonly tags: readonly string[] }[],
): ReadonlyMap<string, TagState> {
  const counts = new Map<string, number>();
  for (const { tags } of mails) for (const name of tags) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].map(([name, count]) => [name, count === mails.length ? 'all' : 'some']));
}

/** Returns the state after a press: some and none become all, all becomes none. */
export const pressed = (state: TagState): TagState => (state === 'all' ? 'none' : 'all');

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/**
 * Returns the tags whose name contains the typed text, those that begin with it first. Ignores
 * accents and case.
 */
export function matchingTags(tags: readonly Tag[], typed: string): Tag[] {
  const wanted = fold(typed.trim());
  if (wanted === '') return [...tags];
  const places = tags.map(tag => ({ tag, at: fold(tag.name).indexOf(wanted) }));
  return places
    .filter(({ at }) => at >= 0)
    .sort((a, b) => Math.min(a.at, 1) - Math.min(b.at, 1))
    .map(({ tag }) => tag);
}

/** Whether the typed text can become a tag, because no tag has that name yet. */
export function canCreate(tags: readonly Tag[], typed: string): boolean {
  const name = typed.trim();
  return (
    name !== '' && [...name].length <= 64 && !tags.some(tag => tag.name.toLowerCase() === name.toLowerCase())
  );
}

/** Returns the changes that the presses result in. */
export function changesOf(
  before: ReadonlyMap<string, TagState>,
  after: ReadonlyMap<string, TagState>,
): { readonly add: string[]; readonly remove: string[] } {
  const changed = [...after].filter(([name, state]) => state !== (before.get(name) ?? 'none'));
  return {
    add: changed.filter(([, state]) => state === 'all').map(([name]) => name),
    remove: changed.filter(([, state]) => state === 'none').map(([name]) => name),
  };
}
