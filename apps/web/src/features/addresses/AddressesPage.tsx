// `/app/config/addresses` (docs/spec-map.md 2, 7; docs/interpretations.md#63 and #64): lists every
// address of the user, and adds new ones.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { useUser } from '../../session/state/current-user.ts';
import { Button } from '../../ui/Button.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { PlansLink } from '../billing/PlansLink.tsx';
import { AddressRow } from './AddressRow.tsx';
import { NewAddressDialog } from './NewAddressDialog.tsx';
import { useAddressCapabilities, useAddresses } from './queries.ts';

export function AddressesPage() {
  const user = useUser();
  const all = useAddresses();
  const { data: room } = useAddressCapabilities();
  const [isMaking, setMaking] = useState(false);
  const domains = room?.domains ?? [];
  const primary = user?.primary_domain;
  const ordered =
    primary !== undefined && domains.includes(primary)
      ? [primary, ...domains.filter(domain => domain !== primary)]
      : domains;
  return (
    <SettingsPage
      title={t('Addresses')}
      text={t(
        'Receive mail at any of these addresses. The star marks the one that new messages are sent from.',
      )}
      action={
        <>
          {room !== undefined && (
            <span className="text-control text-ink-2 tabular-nums">
              {t('{used} of {limit} used', { used: room.used, limit: room.limit })}
            </span>
          )}
          {room !== undefined && room.used >= room.limit && <PlansLink />}
          <Button size="sm" disabled={room?.can_create !== true} onClick={() => setMaking(true)}>
            <Plus size={15} />
            {t('New address')}
          </Button>
        </>
      }
    >
      <AskedFor query={all} bars={['h-14 w-3/5', 'h-14 w-3/5']} text={t('Couldn’t load your addresses.')}>
        {addresses => (
          <ul aria-label={t('Addresses')} className="rounded-card border border-line">
            {addresses.map(address => (
              <AddressRow key={address.address} address={address} domains={domains} />
            ))}
          </ul>
        )}
      </AskedFor>
      {isMaking && <NewAddressDialog domains={ordered} onClose={() => setMaking(false)} />}
    </SettingsPage>
  );
}
