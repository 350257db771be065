// Commands that open the folders and the settings: `g` followed by another key
// (docs/interface.md#shortcuts), and entries of the palette.
import { accountPath, mailPath, recieved } from '../../paths.ts';
import { type KnownCommand, useCommands } from '../../session/commands/commands.ts';

const targets = {
  goInbox: mailPath(recieved),
  goStarred: mailPath('starred'),
  goSent: mailPath('sent'),
  goDrafts: mailPath('drafts'),
  goArchive: mailPath('archived'),
  goFlagged: mailPath('flagged'),
  goDeleted: mailPath('deleted'),
  goScheduled: mailPath('scheduled'),
  goSnoozed: mailPath('snoozed'),
  goAll: mailPath('all'),
  goSettings: accountPath,
} as const satisfies Partial<Record<KnownCommand['id'], string>>;

/** Registers them while mounted. */
export function useGoCommands(navigate: (path: string) => void): void {
  useCommands(
    (Object.keys(targets) as (keyof typeof targets)[]).map(id => ({ id, run: () => navigate(targets[id]) })),
  );
}
