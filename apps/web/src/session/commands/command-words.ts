// Titles of the commands of shortcut-keys.ts, and the headings under which the `?` sheet and the
// palette list them. Not part of the first load: palette, sheet and settings fetch it.
import { t, tAs } from '../../lib/language.ts';
import type { CommandGroup } from './commands.ts';
import type { ShortcutId } from './shortcut-keys.ts';

export type SheetSection = 'move' | 'select' | 'act' | 'write' | 'go' | 'app';

type CommandWords = {
  title: string;
  section: SheetSection;
  /** Group in the palette; null for commands that are faster by key than by palette. */
  group: CommandGroup | null;
  /** Further search terms in the palette. */
  keywords?: string;
};

/** Returns the texts of every command, in the current language. */
export const commandWords = (): Record<ShortcutId, CommandWords> => ({
  next: { title: t('Next conversation'), section: 'move', group: null },
  previous: { title: t('Previous conversation'), section: 'move', group: null },
  open: { title: t('Open conversation'), section: 'move', group: null },
  back: { title: t('Back to list'), section: 'move', group: null },
  nextMessage: { title: t('Next message in conversation'), section: 'move', group: null },
  previousMessage: { title: t('Previous message in conversation'), section: 'move', group: null },
  unfoldAll: { title: t('Expand all messages'), section: 'move', group: 'conversation' },
  check: { title: t('Select conversation'), section: 'select', group: 'list' },
  checkRange: { title: t('Select up to here'), section: 'select', group: null },
  checkAll: { title: t('Select all loaded'), section: 'select', group: 'list' },
  checkNone: { title: t('Clear selection'), section: 'select', group: 'list' },
  archive: { title: tAs('verb', 'Archive'), section: 'act', group: 'conversation' },
  delete: { title: tAs('verb', 'Delete'), section: 'act', group: 'conversation' },
  read: { title: t('Mark as read'), section: 'act', group: 'conversation' },
  unread: { title: t('Mark as unread'), section: 'act', group: 'conversation' },
  star: { title: tAs('verb', 'Star'), section: 'act', group: 'conversation' },
  tag: { title: tAs('verb', 'Tag'), section: 'act', group: 'conversation' },
  spam: { title: t('Mark as spam'), section: 'act', group: 'conversation' },
  snooze: { title: tAs('verb', 'Snooze'), section: 'act', group: 'conversation' },
  menu: { title: t('Show context menu'), section: 'act', group: null },
  undo: { title: t('Undo last action'), section: 'act', group: 'list' },
  reply: { title: tAs('verb', 'Reply'), section: 'write', group: 'conversation' },
  replyAll: { title: t('Reply all'), section: 'write', group: 'conversation' },
  forward: { title: tAs('verb', 'Forward'), section: 'write', group: 'conversation' },
  compose: { title: t('Compose'), section: 'write', group: 'start', keywords: t('New message') },
  send: { title: tAs('verb', 'Send'), section: 'write', group: null },
  attach: { title: t('Attach files'), section: 'write', group: null },
  addCc: { title: t('Add Cc'), section: 'write', group: null },
  addBcc: { title: t('Add Bcc'), section: 'write', group: null },
  discard: { title: t('Discard draft'), section: 'write', group: null },
  goInbox: { title: t('Go to Inbox'), section: 'go', group: 'go' },
  goStarred: { title: t('Go to Starred'), section: 'go', group: 'go' },
  goSnoozed: { title: t('Go to Snoozed'), section: 'go', group: 'go' },
  goSent: { title: t('Go to Sent'), section: 'go', group: 'go' },
  goScheduled: { title: t('Go to Scheduled'), section: 'go', group: 'go' },
  goDrafts: { title: t('Go to Drafts'), section: 'go', group: 'go' },
  goArchive: { title: t('Go to Archive'), section: 'go', group: 'go' },
  goFlagged: { title: t('Go to Spam'), section: 'go', group: 'go' },
  goDeleted: { title: t('Go to Deleted'), section: 'go', group: 'go' },
  goAll: { title: t('Go to All mail'), section: 'go', group: 'go' },
  goSettings: { title: t('Go to Settings'), section: 'go', group: 'settings' },
  search: { title: t('Search mail'), section: 'app', group: 'start' },
  palette: { title: t('Command palette'), section: 'app', group: null },
  help: { title: t('Keyboard shortcuts'), section: 'app', group: 'settings' },
});

/** Returns the headings of the sheet, in order. */
export const sheetSections = (): readonly (readonly [SheetSection, string])[] => [
  ['move', t('Navigation')],
  ['select', t('Selection')],
  ['act', t('Conversation actions')],
  ['write', t('Composing')],
  ['go', t('Go to')],
  ['app', t('Everywhere')],
];
