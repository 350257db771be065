// A mail action as a button with its icon, in a toolbar.
import { IconButton } from '../../../ui/IconButton.tsx';
import type { Offer } from '../state/mail-actions.ts';

/** What is done with an action that was chosen; a panel opens beside the element. */
export type OnAct = (offer: Offer, anchor: Element) => void;

/** Named by what it does there. */
export function OfferButton({ offer, onAct }: { offer: Offer; onAct: OnAct }) {
  return (
    <IconButton
      label={offer.label}
      keys={offer.keys}
      {...(offer.panel === null ? {} : { 'data-opens': offer.panel })}
      onClick={event => onAct(offer, event.currentTarget)}
    >
      <offer.Icon size={17} />
    </IconButton>
  );
}
