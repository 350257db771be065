// Effects on messages: label, icon, and the change each one makes. mail-actions.ts defines which
// action has which effect in which place; flag-changes.ts defines how a change affects flags.
import {
  Archive,
  ArchiveRestore,
  Clock,
  Inbox,
  type LucideIcon,
  Mail,
  MailOpen,
  ShieldAlert,
  ShieldCheck,
  Star,
  StarOff,
  Tag,
  Trash2,
} from 'lucide-react';
import { t, tAs } from '../../../lib/language.ts';
import type { FlagChange } from './flag-changes.ts';

type EffectEntry = {
  readonly label: () => string;
  readonly Icon: LucideIcon;
  /** null: a panel asks for the details first. */
  readonly change: FlagChange | null;
};

const entry = (label: () => string, Icon: LucideIcon, change: FlagChange | null): EffectEntry => ({
  label,
  Icon,
  change,
});

const table = {
  archive: entry(() => tAs('verb', 'Archive'), Archive, { kind: 'archive', value: true }),
  unarchive: entry(() => t('Move to Inbox'), Inbox, { kind: 'archive', value: false }),
  wake: entry(() => t('Move to Inbox'), Inbox, { kind: 'snooze', until: null }),
  spam: entry(() => t('Mark as spam'), ShieldAlert, { kind: 'flag', value: true }),
  notSpam: entry(() => t('Not spam'), ShieldCheck, { kind: 'flag', value: false }),
  restore: entry(() => t('Restore'), ArchiveRestore, { kind: 'restore' }),
  delete: entry(() => t('Delete'), Trash2, { kind: 'delete' }),
  purge: entry(() => t('Delete permanently'), Trash2, { kind: 'delete' }),
  tag: entry(() => tAs('verb', 'Tag'), Tag, null),
  snooze: entry(() => tAs('verb', 'Snooze'), Clock, null),
  star: entry(() => tAs('verb', 'Star'), Star, { kind: 'star', value: true }),
  unstar: entry(() => t('Remove star'), StarOff, { kind: 'star', value: false }),
  read: entry(() => t('Mark as read'), MailOpen, { kind: 'read', value: true }),
  unread: entry(() => t('Mark as unread'), Mail, { kind: 'read', value: false }),
} as const;

export type Effect = keyof typeof table;

/**
 * All effects. For a selection with several places, the first applicable one in this order is used.
 */
export const effects = Object.keys(table) as readonly Effect[];

export const effectTable: Readonly<Record<Effect, EffectEntry>> = table;

/** Returns the effect of a change. */
export function effectOfChange(change: FlagChange): Effect {
  switch (change.kind) {
    case 'archive':
      return change.value ? 'archive' : 'unarchive';
    case 'flag':
      return change.value ? 'spam' : 'notSpam';
    case 'star':
      return change.value ? 'star' : 'unstar';
    case 'read':
      return change.value ? 'read' : 'unread';
    case 'tags':
      return 'tag';
    default:
      return change.kind;
  }
}
