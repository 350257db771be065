// The words and icons of what can be done with mail: the same in the toolbar, over a row, over a selection, in the palette
// and behind a swipe. What can be done where is in mail-actions.ts.
import {
  Archive,
  ArchiveRestore,
  Clock,
  Inbox,
  type LucideIcon,
  MailOpen,
  ShieldAlert,
  ShieldCheck,
  Star,
  Tag,
  Trash2,
} from 'lucide-react';
import { t, tAs } from '../../../lib/language.ts';
import { keysOf } from '../../../session/commands/shortcut-keys.ts';
import { type Effect, effectOf, type MailAction, type Place } from './mail-actions.ts';

interface EffectLook {
  readonly label: () => string;
  readonly Icon: LucideIcon;
}

/** How each effect is shown. */
export const effectLooks: Readonly<Record<Effect, EffectLook>> = {
  archive: { label: () => tAs('verb', 'Archive'), Icon: Archive },
  unarchive: { label: () => t('Move to inbox'), Icon: Inbox },
  wake: { label: () => t('Move to inbox'), Icon: Inbox },
  spam: { label: () => t('Mark as spam'), Icon: ShieldAlert },
  notSpam: { label: () => t('Not spam'), Icon: ShieldCheck },
  restore: { label: () => t('Restore'), Icon: ArchiveRestore },
  delete: { label: () => t('Delete'), Icon: Trash2 },
  purge: { label: () => t('Delete for ever'), Icon: Trash2 },
  tag: { label: () => tAs('verb', 'Tag'), Icon: Tag },
  snooze: { label: () => tAs('verb', 'Snooze'), Icon: Clock },
  star: { label: () => tAs('verb', 'Star'), Icon: Star },
  read: { label: () => t('Mark read'), Icon: MailOpen },
};

/** A button for an action: what it does in this place, and the key that does the same; null when it does nothing there. */
export function lookOf(
  action: 'archive' | 'delete' | 'spam' | 'tag' | 'snooze',
  where: Place | readonly Place[],
): (EffectLook & { readonly keys: string | undefined }) | null {
  const effect = effectOf(action, where);
  return effect === null ? null : { ...effectLooks[effect], keys: keysOf(action) };
}

/** The words for an action where it does something else than its name says; null where the name is right. */
export function otherWords(action: MailAction, where: Place | readonly Place[]): string | null {
  const effect = effectOf(action, where);
  return effect === null || effect === action ? null : effectLooks[effect].label();
}
