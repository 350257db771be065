// The head of the list while rows are checked: how many, and what can be done with all of them, by the table in
// mail-actions.ts.
import { Mail, MailOpen, MoreHorizontal, Star } from 'lucide-react';
import { useCloseRequest } from '../../../lib/close-request.ts';
import { t, tAs } from '../../../lib/language.ts';
import { keysOf } from '../../../session/commands/shortcut-keys.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { lookOf } from '../state/effect-look.ts';
import { effectOf, type MailAction, markOf, type Place } from '../state/mail-actions.ts';
import type { Mark } from '../state/marks.ts';
import type { PanelState } from './OrganisePanel.tsx';

interface BulkBarProps {
  /** The places of what is selected. */
  where: readonly Place[];
  count: number;
  /** Every row is checked. */
  isAll: boolean;
  onClear: () => void;
  onMark: (mark: Mark) => void;
  /** Opens the tag picker or the snooze times beside the button. */
  onPanel: (kind: PanelState['kind'], anchor: Element) => void;
}

interface ActionButtonProps extends Pick<BulkBarProps, 'where' | 'onMark'> {
  action: 'archive' | 'delete';
}

/** A button that changes what is selected at once, where the table has one. */
function ActionButton({ action, where, onMark }: ActionButtonProps) {
  const look = lookOf(action, where);
  const change = markOf(action, where);
  return look === null || change === null ? null : (
    <IconButton label={look.label()} keys={look.keys} onClick={() => onMark(change)}>
      <look.Icon size={17} />
    </IconButton>
  );
}

/** A button that opens a panel, where the table has one. */
function PanelButton({
  kind,
  where,
  onPanel,
}: Pick<BulkBarProps, 'where' | 'onPanel'> & { kind: PanelState['kind'] }) {
  const look = lookOf(kind, where);
  return look === null ? null : (
    <IconButton
      label={look.label()}
      keys={look.keys}
      data-opens={kind}
      onClick={event => onPanel(kind, event.currentTarget)}
    >
      <look.Icon size={17} />
    </IconButton>
  );
}

/** The rarer actions. */
function MoreMenu({ where, onMark, onPanel }: Pick<BulkBarProps, 'where' | 'onMark' | 'onPanel'>) {
  const can = (action: MailAction) => effectOf(action, where) !== null;
  const snooze = lookOf('snooze', where);
  const spam = lookOf('spam', where);
  const spamMark = markOf('spam', where);
  return (
    <Menu
      trigger={
        <IconButton tip={false} label={t('More')} data-opens="snooze">
          <MoreHorizontal size={17} />
        </IconButton>
      }
    >
      {can('read') && (
        <MenuItem
          icon={<Mail size={16} />}
          keys={keysOf('unread')}
          onSelect={() => onMark({ kind: 'read', value: false })}
        >
          {t('Mark unread')}
        </MenuItem>
      )}
      <MenuItem
        icon={<Star size={16} />}
        keys={keysOf('star')}
        onSelect={() => onMark({ kind: 'star', value: true })}
      >
        {tAs('verb', 'Star')}
      </MenuItem>
      <MenuItem icon={<Star size={16} />} onSelect={() => onMark({ kind: 'star', value: false })}>
        {t('Remove star')}
      </MenuItem>
      {snooze !== null && (
        <MenuItem
          icon={<snooze.Icon size={16} />}
          keys={snooze.keys}
          onSelect={() => onPanel('snooze', document.querySelector('[data-opens="snooze"]') ?? document.body)}
        >
          {snooze.label()}
        </MenuItem>
      )}
      {spam !== null && spamMark !== null && (
        <MenuItem icon={<spam.Icon size={16} />} keys={spam.keys} onSelect={() => onMark(spamMark)}>
          {spam.label()}
        </MenuItem>
      )}
    </Menu>
  );
}

/** Replaces ListHeader. Back on a phone ends the selection. */
export function BulkBar({ where, count, isAll, onClear, onMark, onPanel }: BulkBarProps) {
  useCloseRequest(true, onClear);
  return (
    <div className="flex h-12 short:h-10 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
      <Checkbox label={t('Clear selection')} checked={isAll ? true : 'mixed'} onChange={onClear} />
      <h1 className="truncate text-pane font-strong tracking-tight tabular-nums">
        {t('{count} selected', { count })}
      </h1>
      <span className="flex-1" />
      <div role="toolbar" aria-label={t('Selected messages')} className="flex">
        <ActionButton action="archive" where={where} onMark={onMark} />
        <ActionButton action="delete" where={where} onMark={onMark} />
        <PanelButton kind="tag" where={where} onPanel={onPanel} />
        {effectOf('read', where) !== null && (
          <IconButton
            label={t('Mark read')}
            keys={keysOf('read')}
            onClick={() => onMark({ kind: 'read', value: true })}
          >
            <MailOpen size={17} />
          </IconButton>
        )}
        <span className="max-pane:hidden">
          <PanelButton kind="snooze" where={where} onPanel={onPanel} />
        </span>
        <MoreMenu where={where} onMark={onMark} onPanel={onPanel} />
      </div>
    </div>
  );
}
