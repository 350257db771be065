// What stands in place of the rows where a list has none: nothing came yet, nothing matches, or there is no such list.
import type { FolderName } from '@keyfold/contract';
import { FileQuestion, Inbox, SearchX, WifiOff } from 'lucide-react';
import { t, term } from '../../../lib/language.ts';
import { mailPath, recieved, settingsPath } from '../../../paths.ts';
import { useUser } from '../../../session/state/current-user.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Link } from '../../../ui/Link.tsx';
import { findFolder, labelOf } from '../state/folders.ts';

/** Why a folder is empty and what would be here (docs/interface.md#states). */
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
const emptyWords = (folder: FolderName | null) =>
  folder === null
    ? { title: t('No mail has this tag'), text: t('Tag a mail to see it here.') }
    : { title: t(words[folder].title), text: t(words[folder].text) };

export type EmptyListProps = {
  /** The folder's word, or a tag's name. */
  word: string;
  /** Nothing can be asked for, and nothing is known. */
  isOffline: boolean;
  isSearch: boolean;
  isFiltered: boolean;
  /** The list has rows, and the page of the address lies after the last. */
  isBeyond: boolean;
  /** Takes filter and search away. */
  onShowAll: () => void;
};

/** The words for an empty list. */
export function EmptyList({ word, isOffline, isSearch, isFiltered, isBeyond, onShowAll }: EmptyListProps) {
  const tags = useUser()?.tags ?? [];
  const folder = findFolder(word);
  if (isOffline) {
    return (
      <EmptyState
        icon={<WifiOff />}
        title={t('You are offline')}
        text={t('This folder was not opened on this page yet. It comes when the connection is back.')}
      />
    );
  }
  if (isSearch || isFiltered) {
    return (
      <EmptyState
        icon={<SearchX />}
        title={t('No mail matches')}
        text={
          isSearch
            ? t('Nothing that is indexed matches. Try fewer words, or other ones.')
            : t('Nothing here passes this filter.')
        }
        action={
          <Button variant="outline" onClick={onShowAll}>
            {t('Clear filters')}
          </Button>
        }
      />
    );
  }
  if (folder === null && !tags.some(({ name }) => name === word)) {
    return (
      <EmptyState
        icon={<FileQuestion />}
        title={t('Not found')}
        text={t('There is no folder and no tag of this name.')}
        action={<Link to={mailPath(recieved)}>{t('Go to the inbox')}</Link>}
      />
    );
  }
  if (isBeyond) {
    return (
      <EmptyState
        icon={<FileQuestion />}
        title={t('Not found')}
        text={t('This list has fewer pages.')}
        action={<Link to={mailPath(word)}>{t('Go to the start of {name}', { name: labelOf(word) })}</Link>}
      />
    );
  }
  const { title, text } = emptyWords(folder);
  return (
    <EmptyState
      icon={<Inbox />}
      title={title}
      text={text}
      action={word === recieved ? <Link to={settingsPath('import')}>{t('Import')}</Link> : undefined}
    />
  );
}
