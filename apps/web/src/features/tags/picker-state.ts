// What the tag picker shows and does, without a screen: which tags fit what is typed, their three states over many mails,
// and what is to be changed at the end (docs/interface.md#tags).
import type { Tag } from '@keyfold/contract';

export type TagState = 'all' | 'some' | 'none';

/** How many of the mails have each tag. */
export function tagStates(
  mails: readonly { readonly tags: readonly string[] }[],
): ReadonlyMap<string, TagState> {
  const counts = new Map<string, number>();
  for (const { tags } of mails) for (const name of tags) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].map(([name, count]) => [name, count === mails.length ? 'all' : 'some']));
}

/** The state after a press: some and none become all, all becomes none. */
export const pressed = (state: TagState): TagState => (state === 'all' ? 'none' : 'all');

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** The tags whose name holds what is typed, those that begin with it first; accents and case do not matter. */
export function matchingTags(tags: readonly Tag[], typed: string): Tag[] {
  const wanted = fold(typed.trim());
  if (wanted === '') return [...tags];
  const places = tags.map(tag => ({ tag, at: fold(tag.name).indexOf(wanted) }));
  return places
    .filter(({ at }) => at >= 0)
    .sort((a, b) => Math.min(a.at, 1) - Math.min(b.at, 1))
    .map(({ tag }) => tag);
}

/** Whether what is typed can become a tag: no tag is called so yet. */
export function canCreate(tags: readonly Tag[], typed: string): boolean {
  const name = typed.trim();
  return (
    name !== '' && [...name].length <= 64 && !tags.some(tag => tag.name.toLowerCase() === name.toLowerCase())
  );
}

/** What the presses amount to. */
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
