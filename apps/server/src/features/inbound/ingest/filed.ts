/**
 * Where a message was put, for whoever writes it down: folders without saying whose they are.
 */
import type { Owner } from '../../accounts/users/index.ts';
import type { Treatment } from '../filters/index.ts';

export type Folder = 'archive' | 'deleted' | 'inbox' | 'spam';

export type Filed = {
  /** Folders of the copies, each once. */
  readonly folders: readonly Folder[];
  /** The spam score; null when no filter asked for it. */
  readonly points: number | null;
};

function folderOf(treatment: Treatment | undefined): Folder {
  if (treatment === undefined) return 'inbox';
  const { archive, delete: isDeleted, flag } = treatment.actions;
  if (isDeleted) return 'deleted';
  if (flag) return 'spam';
  return archive ? 'archive' : 'inbox';
}

export const filedOf = (
  owners: readonly Owner[],
  {
    treatments,
    points,
  }: { readonly treatments: ReadonlyMap<string, Treatment>; readonly points: number | null },
): Filed => ({
  folders: [...new Set(owners.map(({ userId }) => folderOf(treatments.get(userId))))].sort(),
  points: points === null ? null : Math.round(points * 10) / 10,
});
