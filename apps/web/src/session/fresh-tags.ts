// Keeps the user's tags as the server has them: counts name every tag with its colour, so one that is new, missing or
// coloured otherwise there tells of a change on another device. The tags themselves come with the user.
import type { Tag } from '@keyfold/contract';
import { authClient } from './calls/clients/auth.ts';
import { findUser, setUserTags } from './state/current-user.ts';

/** Asks for the user's tags when they are not these. Failures are left to the next counts. */
export async function freshenTags(counted: Readonly<Record<string, Pick<Tag, 'color'>>>): Promise<void> {
  const known = findUser()?.tags;
  if (known === undefined) return;
  const isKnown = known.every(({ name, color }) => counted[name]?.color === color);
  if (isKnown && known.length === Object.keys(counted).length) return;
  try {
    const { data } = await authClient.check({});
    // What was changed here meanwhile is newer than the answer; and whoever left has no tags.
    if (findUser()?.tags === known) setUserTags(() => data.tags);
  } catch {
    // Names that are not known are shown in gray until then.
  }
}
