// Keeps the user's tags in step with the server. The counts response names every tag with its
// color, so a tag that is new, missing or differently colored there indicates a change on another
// device. The tags themselves come with the user.
import type { Tag } from '@keyfold/contract';
import { authClient } from './calls/clients/auth.ts';
import { findUser, setUserTags } from './state/current-user.ts';

/**
 * Fetches the user's tags if they differ from these. Failures are left to the next counts response.
 */
export async function freshenTags(counted: Readonly<Record<string, Pick<Tag, 'color'>>>): Promise<void> {
  const known = findUser()?.tags;
  if (known === undefined) return;
  const isKnown = known.every(({ name, color }) => counted[name]?.color === color);
  if (isKnown && known.length === Object.keys(counted).length) return;
  try {
    const { data } = await authClient.check({});
    // A local change made meanwhile is newer than the response, and a signed-out user has no tags.
    if (findUser()?.tags === known) setUserTags(() => data.tags);
  } catch {
    // Unknown tag names are shown in gray until then.
  }
}
