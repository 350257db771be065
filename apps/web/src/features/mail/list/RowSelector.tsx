// The start of a row: the avatar and the checkbox that replaces it.
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import type { Density, MailRowView } from '../state/view-model.ts';
import type { MailRowActions } from './MailRow.tsx';

type RowSelectorProps = {
  row: MailRowView;
  density: Density;
  isChecked: boolean;
  tabIndex: 0 | -1;
  actions: Pick<MailRowActions, 'onCheck'>;
};

/**
 * The checkbox replaces the avatar when the row is hovered or focused, or when any row is selected.
 * It is always rendered, because Tab cannot reach an element that is not displayed. A tap on the
 * avatar selects the row.
 */
const boxShown =
  'opacity-0 group-hover/row:opacity-100 group-has-[:focus-visible]/row:opacity-100 group-data-checked/row:opacity-100 group-data-selecting/list:opacity-100';
const avatarHidden =
  'group-hover/row:opacity-0 group-has-[:focus-visible]/row:opacity-0 group-data-checked/row:opacity-0 group-data-selecting/list:opacity-0';

/** 32 px wide; 20 px in the line density. */
export function RowSelector({ row, density, isChecked, tabIndex, actions }: RowSelectorProps) {
  return (
    <div
      className={cn(
        'absolute start-5 z-1',
        density === 'comfortable' && 'top-6 size-8',
        density === 'compact' && 'top-3 size-8',
        density === 'line' && 'start-5 top-2.5 size-5',
      )}
    >
      {density !== 'line' && (
        <span className={cn('pointer-events-none absolute inset-0', avatarHidden)}>
          <Avatar name={row.isNobody ? '' : row.fromName || row.fromAddress} />
        </span>
      )}
      <span
        className={cn('absolute inset-0 flex items-center justify-center', density !== 'line' && boxShown)}
      >
        <Checkbox
          label={t('Select: {subject}', { subject: row.subject || t('(No subject)') })}
          checked={isChecked}
          tabIndex={tabIndex}
          onChange={(_, event) =>
            actions.onCheck(
              row.id,
              event instanceof globalThis.MouseEvent && event.shiftKey ? 'range' : 'one',
            )
          }
        />
      </span>
    </div>
  );
}
