// The list header while rows are selected: shows their number and the actions for all of them, as
// defined in mail-actions.ts.
import { MoreHorizontal } from 'lucide-react';
import { useCloseRequest } from '../../../lib/close-request.ts';
import { t } from '../../../lib/language.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { offersAt } from '../state/mail-actions.ts';
import type { Place } from '../state/mail-places.ts';
import { OfferButton, type OnAct } from './OfferButton.tsx';
import { OfferItems } from './OfferItems.tsx';

type BulkBarProps = {
  /** Places of the selected conversations. */
  where: readonly Place[];
  count: number;
  /** Whether every row is selected. */
  isAll: boolean;
  onClear: () => void;
  onAct: OnAct;
};

/** Menu of the less frequent actions. */
function MoreMenu({ where, onAct }: Pick<BulkBarProps, 'where' | 'onAct'>) {
  return (
    <Menu
      trigger={
        <IconButton tip={false} label={t('More')} data-opens="snooze">
          <MoreHorizontal size={17} />
        </IconButton>
      }
    >
      <OfferItems
        offers={offersAt('bulkMore', { where })}
        onAct={offer =>
          onAct(offer, document.querySelector(`[data-opens="${offer.panel}"]`) ?? document.body)
        }
      />
    </Menu>
  );
}

/** Replaces ListHeader. The back button of a phone ends the selection. */
export function BulkBar({ where, count, isAll, onClear, onAct }: BulkBarProps) {
  useCloseRequest(true, onClear);
  return (
    <div className="flex h-12 short:h-10 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
      <Checkbox label={t('Clear selection')} checked={isAll ? true : 'mixed'} onChange={onClear} />
      <h1 className="truncate text-pane font-strong tracking-tight tabular-nums">
        {t('{count} selected', { count })}
      </h1>
      <span className="flex-1" />
      <div role="toolbar" aria-label={t('Selected messages')} className="flex">
        {offersAt('bulk', { where }).map(offer => (
          // On narrow screens it is only in the menu.
          <span key={offer.action} className={offer.panel === 'snooze' ? 'max-pane:hidden' : 'contents'}>
            <OfferButton offer={offer} onAct={onAct} />
          </span>
        ))}
        <MoreMenu where={where} onAct={onAct} />
      </div>
    </div>
  );
}
