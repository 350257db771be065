// The toolbar above the open conversation: move, star or tag it, and a menu of less frequent
// actions.
import { ArrowLeft, Forward, ListFilter, MoreHorizontal, Printer, ShieldBan, Star } from 'lucide-react';
import { Fragment } from 'react';
import { t, tAs } from '../../../lib/language.ts';
import { isNative } from '../../../native/is-native.ts';
import { keysOf } from '../../../session/commands/shortcut-keys.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../../ui/MenuSeparator.tsx';
import { OfferButton, type OnAct } from '../list/OfferButton.tsx';
import { OfferItems } from '../list/OfferItems.tsx';
import { type Offer, offersAt, type Subject } from '../state/mail-actions.ts';

/** Actions on the open conversation. */
export type ReaderActions = {
  onBack: () => void;
  /** Performs an action from mail-actions.ts; a panel opens beside the element. */
  onAct: OnAct;
  onPrint: () => void;
  onViewHeaders: () => void;
  onViewSource: () => void;
  /** Forwards all messages in one; absent when there is only one. */
  onForwardAll?: (() => void) | undefined;
  onDownloadRaw: () => void;
  onBlockSender?: (() => void) | undefined;
  /** Starts a rule about the sender. */
  onMakeRule?: (() => void) | undefined;
};

type ReaderToolbarProps = {
  actions: ReaderActions;
  /** The conversation in the form that mail-actions.ts uses. */
  subject: Subject;
  /** Single-pane layout: show the arrow back to the list. */
  hasBack: boolean;
};

/** The star, which is always shown and is filled when set. */
function StarButton({ offer, onAct }: { offer: Offer; onAct: OnAct }) {
  return (
    <IconButton
      variant="star"
      label={tAs('verb', 'Star')}
      keys={offer.keys}
      aria-pressed={offer.action === 'unstar'}
      onClick={event => onAct(offer, event.currentTarget)}
    >
      <Star size={17} />
    </IconButton>
  );
}

/** 48 px high. */
export function ReaderToolbar({ actions, subject, hasBack }: ReaderToolbarProps) {
  const offers = offersAt('toolbar', subject);
  const more = offersAt('toolbarMore', subject);
  return (
    <div
      role="toolbar"
      aria-label={t('Conversation actions')}
      className="flex h-12 short:h-10 shrink-0 items-center gap-0.5 border-b border-line px-3 max-pane:gap-0 max-pane:px-1.5 print:hidden"
    >
      {hasBack && (
        <IconButton label={t('Back')} keys={keysOf('back')} onClick={actions.onBack}>
          <ArrowLeft size={19} className="rtl:-scale-x-100" />
        </IconButton>
      )}
      {offers.map((offer, at) => (
        <Fragment key={offer.action === 'unstar' ? 'star' : offer.action}>
          {at > 0 && offers[at - 1]?.group !== offer.group && (
            <span aria-hidden className="mx-1.5 h-5 w-px bg-line max-pane:mx-0.5" />
          )}
          {offer.effect === 'star' || offer.effect === 'unstar' ? (
            <StarButton offer={offer} onAct={actions.onAct} />
          ) : (
            <OfferButton offer={offer} onAct={actions.onAct} />
          )}
        </Fragment>
      ))}
      <span className="flex-1" />
      {!isNative() && (
        <span className="max-pane:hidden">
          <IconButton label={t('Print')} onClick={actions.onPrint}>
            <Printer size={17} />
          </IconButton>
        </span>
      )}
      <Menu
        trigger={
          <IconButton tip={false} label={t('More')}>
            <MoreHorizontal size={17} />
          </IconButton>
        }
      >
        {actions.onForwardAll !== undefined && (
          <MenuItem icon={<Forward size={16} />} onSelect={actions.onForwardAll}>
            {t('Forward all messages')}
          </MenuItem>
        )}
        <MenuItem onSelect={actions.onViewHeaders}>{t('View headers')}</MenuItem>
        <MenuItem onSelect={actions.onViewSource}>{t('View source')}</MenuItem>
        <MenuItem onSelect={actions.onDownloadRaw}>{t('Download .eml')}</MenuItem>
        {(actions.onBlockSender !== undefined || more.length > 0) && <MenuSeparator />}
        <OfferItems offers={more} onAct={offer => actions.onAct(offer, document.body)} />
        {actions.onMakeRule !== undefined && (
          <MenuItem icon={<ListFilter size={16} />} onSelect={actions.onMakeRule}>
            {t('Create rule from message')}
          </MenuItem>
        )}
        {actions.onBlockSender !== undefined && (
          <MenuItem icon={<ShieldBan size={16} />} onSelect={actions.onBlockSender}>
            {t('Block sender')}
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}
