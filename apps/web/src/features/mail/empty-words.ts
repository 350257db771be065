// What an empty folder says: why it is empty and what would be here (ux 2.3 "List states").
import type { FolderName } from '@keyfold/contract';

const words: Readonly<Record<FolderName, { readonly title: string; readonly text: string }>> = {
  recieved: {
    title: 'Nothing here, enjoy it',
    text: 'New mail arrives here, encrypted before it is stored.',
  },
  starred: { title: 'Nothing is starred', text: 'Star what you want to find again quickly.' },
  sent: { title: 'Nothing sent yet', text: 'Mail that you send is kept here, encrypted for you.' },
  drafts: { title: 'No drafts', text: 'What you write is saved here while you type.' },
  archived: { title: 'The archive is empty', text: 'Archive mail to keep it out of the inbox.' },
  flagged: { title: 'Nothing is flagged', text: 'Mail that looks like spam is put here.' },
  deleted: { title: 'Nothing is deleted', text: 'Deleted mail is kept 30 days.' },
  all: { title: 'No mail yet', text: 'Every mail that you keep is listed here.' },
};

/** The sentence of a folder; a tag (null) has its own. */
export const emptyWords = (folder: FolderName | null) =>
  folder === null ? { title: 'No mail has this tag', text: 'Tag a mail to see it here.' } : words[folder];
