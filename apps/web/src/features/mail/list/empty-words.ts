// What an empty folder says: why it is empty and what would be here (docs/interface.md#states).
import type { FolderName } from '@keyfold/contract';
import { t, term } from '../../../lib/language.ts';

const words: Readonly<Record<FolderName, { readonly title: string; readonly text: string }>> = {
  recieved: {
    title: term('Nothing here, enjoy it'),
    text: term('New mail arrives here, encrypted before it is stored.'),
  },
  starred: { title: term('Nothing is starred'), text: term('Star what you want to find again quickly.') },
  sent: {
    title: term('Nothing sent yet'),
    text: term('Mail that you send is kept here, encrypted for you.'),
  },
  scheduled: { title: term('Nothing is scheduled'), text: term('Mail that you send later waits here.') },
  snoozed: { title: term('Nothing is snoozed'), text: term('Snoozed mail waits here until its time.') },
  drafts: { title: term('No drafts'), text: term('What you write is saved here while you type.') },
  archived: { title: term('The archive is empty'), text: term('Archive mail to keep it out of the inbox.') },
  flagged: { title: term('Nothing is flagged'), text: term('Mail that looks like spam is put here.') },
  deleted: { title: term('Nothing is deleted'), text: term('Deleted mail is kept 30 days.') },
  all: { title: term('No mail yet'), text: term('Every mail that you keep is listed here.') },
};

/** The sentence of a folder; a tag (null) has its own. */
export const emptyWords = (folder: FolderName | null) =>
  folder === null
    ? { title: t('No mail has this tag'), text: t('Tag a mail to see it here.') }
    : { title: t(words[folder].title), text: t(words[folder].text) };
