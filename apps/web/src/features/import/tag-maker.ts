// Tags for the folders of an import: existing tags are reused, others are created.
import { CallError } from '@keyfold/contract/client';
import { rest } from '../../lib/rest.ts';
import { tagsClient } from '../../session/calls/clients/tags.ts';
import { getUser, setUserTags } from '../../session/state/current-user.ts';
import { importRetryMs } from '../../timing.ts';
import { freeColor } from '../tags/colors.ts';

const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

async function make(name: string): Promise<string> {
  const { data } = await tagsClient.save({ tag: { name, color: freeColor(getUser().tags) } });
  setUserTags(tags =>
    [...tags.filter(one => one.name !== data.name), data].sort((a, b) => a.name.localeCompare(b.name)),
  );
  return data.name;
}

/**
 * Maximum number of attempts while there is no response; an import that ends then can be resumed.
 */
const TRIES = 60;
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

/** Whether the tag limit was reached in this import, and the signal that ends the import. */
type Room = { isFull: boolean; readonly signal: AbortSignal };

async function ensureTag(room: Room, name: string, triesLeft = TRIES): Promise<string | null> {
  const found = getUser().tags.find(tag => keyOf(tag.name) === keyOf(name));
  if (found !== undefined) return found.name;
  if (room.isFull) return null;
  try {
    return await make(name);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (triesLeft > 0 && passing.has(error.status)) {
      await rest(importRetryMs, room.signal);
      return ensureTag(room, name, triesLeft - 1);
    }
    // A built-in folder already has that name.
    if (error.code === 'tag_refused') return make(`${name} 2`).catch(() => null);
    if (error.code === 'limit_reached') room.isFull = true;
    if (room.isFull || error.code === 'malformed') return null;
    throw error;
  }
}

type TagMaker = (names: readonly string[]) => Promise<(string | null)[]>;

/**
 * Creates the tags of one import: returns the names of tags as stored, or null for tags that cannot
 * be created. Once the limit is reached, no further tag is requested. Rejects when the server is
 * unreachable, and with the signal's reason.
 */
export function createTagMaker(signal: AbortSignal): TagMaker {
  const room: Room = { isFull: false, signal };
  return async names => {
    const made: (string | null)[] = [];
    for (const name of names) made.push(await ensureTag(room, name));
    return made;
  };
}
