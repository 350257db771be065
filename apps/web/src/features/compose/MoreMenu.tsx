// Further actions on a draft: templates, plain text, and on a phone also scheduled sending.
import { CalendarClock, EllipsisVertical, FileText, Type } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';

type MoreMenuProps = {
  isPlain: boolean;
  isDisabled: boolean;
  onTogglePlain: () => void;
  onTemplates: () => void;
  /** Set where there is no menu beside Send. */
  onPickTime?: (() => void) | undefined;
};

/** The last menu of the composer's footer. */
export function MoreMenu({ isPlain, isDisabled, onTogglePlain, onTemplates, onPickTime }: MoreMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton tip={false} label={t('More options')} disabled={isDisabled}>
          <EllipsisVertical size={17} />
        </IconButton>
      }
    >
      {onPickTime !== undefined && (
        <MenuItem icon={<CalendarClock size={16} />} onSelect={onPickTime}>
          {t('Send later')}
        </MenuItem>
      )}
      <MenuItem icon={<FileText size={16} />} onSelect={onTemplates}>
        {t('Templates')}
      </MenuItem>
      <MenuItem icon={<Type size={16} />} checked={isPlain} onSelect={onTogglePlain}>
        {t('Plain text')}
      </MenuItem>
    </Menu>
  );
}
