// Scheduled sending: three common times, or any other. Shown beside Send.
import { CalendarClock, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../../ui/MenuSeparator.tsx';
import { PickTimeDialog } from './PickTimeDialog.tsx';
import { laterChoices, whenWords } from './schedule.ts';

type ScheduleMenuProps = {
  isDisabled: boolean;
  onSchedule: (at: Date) => void;
};

/** A button that opens the list of times. */
export function ScheduleMenu({ isDisabled, onSchedule }: ScheduleMenuProps) {
  const [isPicking, setPicking] = useState(false);
  return (
    <>
      <Menu
        align="start"
        trigger={
          <IconButton tip={false} label={t('Schedule sending')} disabled={isDisabled}>
            <ChevronDown size={17} />
          </IconButton>
        }
      >
        {laterChoices(new Date()).map(({ id, label, at }) => (
          <MenuItem key={id} onSelect={() => onSchedule(at)}>
            <span className="flex justify-between gap-6">
              {label} <span className="text-ink-3">{whenWords(at)}</span>
            </span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<CalendarClock size={16} />} onSelect={() => setPicking(true)}>
          {t('Pick date and time')}
        </MenuItem>
      </Menu>
      {isPicking && (
        <PickTimeDialog
          onClose={() => setPicking(false)}
          onPick={at => {
            setPicking(false);
            onSchedule(at);
          }}
        />
      )}
    </>
  );
}
