// Tags for the folders of an import: those that are there are used, others are made.
import { CallError } from '@keyfold/contract/client';
import { client } from '../../session/client.ts';
import { getUser, setUserTags } from '../../session/current-user.ts';
import { importRetryMs } from '../../timing.ts';
import { freeColor } from '../tags/colors.ts';

const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

async function make(name: string): Promise<string> {
  const { data } = await client.tags.save({ tag: { name, color: freeColor(getUser().tags) } });
  setUserTags(tags =>
    [...tags.filter(one => one.name !== data.name), data].sort((a, b) => a.name.localeCompare(b.name)),
  );
  return data.name;
}

/** A missing answer is waited for, for a while; a run that ends then can be taken up. */
const tries = 60;

async function ensureTag(name: string, triesLeft = tries): Promise<string | null> {
  const found = getUser().tags.find(tag => keyOf(tag.name) === keyOf(name));
  if (found !== undefined) return found.name;
  try {
    return await make(name);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (triesLeft > 0 && (error.status === 0 || error.status === 429 || error.status === 503)) {
      await new Promise(resolve => setTimeout(resolve, importRetryMs));
      return ensureTag(name, triesLeft - 1);
    }
    // A folder of ours has that name already.
    if (error.code === 'tag_refused') return make(`${name} 2`).catch(() => null);
    if (error.code === 'limit_reached' || error.code === 'malformed') return null;
    throw error;
  }
}

/** The names of these tags as they are kept, null for those that cannot be had. Rejects when the server cannot be asked. */
export async function ensureTags(names: readonly string[]): Promise<(string | null)[]> {
  const made: (string | null)[] = [];
  for (const name of names) made.push(await ensureTag(name));
  return made;
}
