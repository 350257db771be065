// A toolbar icon button for a mail action.
import { IconButton } from '../../../ui/IconButton.tsx';
import type { Offer } from '../state/mail-actions.ts';

/** Performs the chosen action; a panel opens beside the element. */
export type OnAct = (offer: Offer, anchor: Element) => void;

/** Labeled with the effect of the action in the current place. */
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
