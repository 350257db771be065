// Mail actions as menu items, with a separator between groups.
import { Fragment } from 'react';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../../ui/MenuSeparator.tsx';
import type { Offer } from '../state/mail-actions.ts';

/** Must be inside a Menu. */
export function OfferItems({ offers, onAct }: { offers: readonly Offer[]; onAct: (offer: Offer) => void }) {
  return offers.map((offer, at) => (
    <Fragment key={offer.action}>
      {at > 0 && offers[at - 1]?.group !== offer.group && <MenuSeparator />}
      <MenuItem icon={<offer.Icon size={16} />} keys={offer.keys} onSelect={() => onAct(offer)}>
        {offer.label}
      </MenuItem>
    </Fragment>
  ));
}
