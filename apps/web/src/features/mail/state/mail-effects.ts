// What can happen to mail: its words, its icon, and the change it makes. Which action has which effect where is in
// mail-actions.ts; what a change does to flags is in marks.ts.
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
import type { Mark } from './marks.ts';

type EffectEntry = {
  readonly label: () => string;
  readonly Icon: LucideIcon;
  /** null: a panel asks for the rest first. */
  readonly mark: Mark | null;
};

const entry = (label: () => string, Icon: LucideIcon, mark: Mark | null): EffectEntry => ({
  label,
  Icon,
  mark,
});

const table = {
  archive: entry(() => tAs('verb', 'Archive'), Archive, { kind: 'archive', value: true }),
  unarchive: entry(() => t('Move to inbox'), Inbox, { kind: 'archive', value: false }),
  wake: entry(() => t('Move to inbox'), Inbox, { kind: 'snooze', until: null }),
  spam: entry(() => t('Mark as spam'), ShieldAlert, { kind: 'flag', value: true }),
  notSpam: entry(() => t('Not spam'), ShieldCheck, { kind: 'flag', value: false }),
  restore: entry(() => t('Restore'), ArchiveRestore, { kind: 'restore' }),
  delete: entry(() => t('Delete'), Trash2, { kind: 'delete' }),
  purge: entry(() => t('Delete for ever'), Trash2, { kind: 'delete' }),
  tag: entry(() => tAs('verb', 'Tag'), Tag, null),
  snooze: entry(() => tAs('verb', 'Snooze'), Clock, null),
  star: entry(() => tAs('verb', 'Star'), Star, { kind: 'star', value: true }),
  unstar: entry(() => t('Remove star'), StarOff, { kind: 'star', value: false }),
  read: entry(() => t('Mark read'), MailOpen, { kind: 'read', value: true }),
  unread: entry(() => t('Mark unread'), Mail, { kind: 'read', value: false }),
} as const;

export type Effect = keyof typeof table;

/** Every effect. Where a selection holds mail of several places, the first one in this order that applies. */
export const effects = Object.keys(table) as readonly Effect[];

export const effectTable: Readonly<Record<Effect, EffectEntry>> = table;

/** The effect that a change has. */
export function effectOfMark(mark: Mark): Effect {
  switch (mark.kind) {
    case 'archive':
      return mark.value ? 'archive' : 'unarchive';
    case 'flag':
      return mark.value ? 'spam' : 'notSpam';
    case 'star':
      return mark.value ? 'star' : 'unstar';
    case 'read':
      return mark.value ? 'read' : 'unread';
    case 'tags':
      return 'tag';
    default:
      return mark.kind;
  }
}
