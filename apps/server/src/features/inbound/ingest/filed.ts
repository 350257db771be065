/** Where a message was stored, for logging: folders without their owners. */
import type { Owner } from '../../accounts/users/index.ts';
import type { Treatment } from '../filters/index.ts';

export type Folder = 'archive' | 'deleted' | 'inbox' | 'spam';

export type Filed = {
  /** Folders of the copies, without duplicates. */
  readonly folders: readonly Folder[];
  /** Spam score; null when no filter requested it. */
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
