// Shown instead of rows when a list is empty: nothing has arrived yet, nothing matches, or the list
// does not exist.
import type { FolderName } from '@keyfold/contract';
import { FileQuestion, Inbox, SearchX, WifiOff } from 'lucide-react';
import { t, term } from '../../../lib/language.ts';
import { mailPath, recieved, settingsPath } from '../../../paths.ts';
import { useUser } from '../../../session/state/current-user.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Link } from '../../../ui/Link.tsx';
import { findFolder, labelOf } from '../state/folders.ts';

/** Explains why a folder is empty and what it will contain (docs/interface.md#states). */
const words: Readonly<Record<FolderName, { readonly title: string; readonly text: string }>> = {
  recieved: {
    title: term('Your inbox is empty'),
    text: term('New messages arrive here, encrypted before they are stored.'),
  },
  starred: { title: term('No starred messages'), text: term('Star messages to find them quickly.') },
  sent: {
    title: term('Nothing sent yet'),
    text: term('Messages you send are saved here, encrypted for you.'),
  },
  scheduled: {
    title: term('No scheduled messages'),
    text: term('Messages you schedule wait here until they are sent.'),
  },
  snoozed: {
    title: term('No snoozed messages'),
    text: term('Snoozed messages wait here until they return to the inbox.'),
  },
  drafts: { title: term('No drafts'), text: term('Messages you write are saved here as you type.') },
  archived: {
    title: term('No archived messages'),
    text: term('Archive messages to keep them out of the inbox.'),
  },
  flagged: { title: term('No spam'), text: term('Messages that look like spam go here.') },
  deleted: { title: term('No deleted messages'), text: term('Deleted messages are kept for 30 days.') },
  all: {
    title: term('No messages yet'),
    text: term('All your messages appear here, except drafts, spam and deleted messages.'),
  },
};

/** Returns the text of a folder; a tag (null) has its own. */
const emptyWords = (folder: FolderName | null) =>
  folder === null
    ? { title: t('No messages have this tag'), text: t('Tag a message to see it here.') }
    : { title: t(words[folder].title), text: t(words[folder].text) };

export type EmptyListProps = {
  /** Display name of the folder or tag. */
  word: string;
  /** No connection, so it is unknown whether the list has rows. */
  isOffline: boolean;
  isSearch: boolean;
  isFiltered: boolean;
  /** The list has rows, but the page in the address is past the last one. */
  isBeyond: boolean;
  /** Clears filter and search. */
  onShowAll: () => void;
};

export function EmptyList({ word, isOffline, isSearch, isFiltered, isBeyond, onShowAll }: EmptyListProps) {
  const tags = useUser()?.tags ?? [];
  const folder = findFolder(word);
  if (isOffline) {
    return (
      <EmptyState
        icon={<WifiOff />}
        title={t('You’re offline')}
        text={t('This list hasn’t been loaded yet. It will load when you’re back online.')}
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
            ? t('Try fewer or different words. Messages that aren’t indexed yet can’t be found.')
            : t('No messages match this filter.')
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
        text={t('There is no folder or tag with this name.')}
        action={<Link to={mailPath(recieved)}>{t('Go to Inbox')}</Link>}
      />
    );
  }
  if (isBeyond) {
    return (
      <EmptyState
        icon={<FileQuestion />}
        title={t('Not found')}
        text={t('This list doesn’t have that many pages.')}
        action={<Link to={mailPath(word)}>{t('Go to first page of {name}', { name: labelOf(word) })}</Link>}
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
