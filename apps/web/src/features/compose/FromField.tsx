// The sender's address, shown when there is more than one to choose from: the primary one and the
// others (docs/interpretations.md#84).
import type { Person } from '../../crypto/mail/outgoing-message.ts';
import { t } from '../../lib/language.ts';
import { useUser } from '../../session/state/current-user.ts';
import { InlineSelect } from '../../ui/InlineSelect.tsx';

type FromFieldProps = {
  from: Person;
  isReadOnly: boolean;
  onChange: (from: Person) => void;
};

/** Renders nothing with a single address. */
export function FromField({ from, isReadOnly, onChange }: FromFieldProps) {
  const user = useUser();
  const isOn = (address: string) =>
    address === from.address || !(user?.off_addresses ?? []).includes(address);
  const addresses = user === null ? [] : [...new Set([user.email, ...user.addresses])].filter(isOn);
  if (addresses.length < 2) return null;
  return (
    <div className="flex h-[42px] shrink-0 items-center gap-2.5 border-b border-line ps-4">
      <span aria-hidden className="w-9 shrink-0 text-control text-ink-3">
        {t('From')}
      </span>
      {isReadOnly ? (
        <bdi>{from.address}</bdi>
      ) : (
        <InlineSelect
          label={t('From')}
          value={from.address}
          options={addresses.map(address => ({ value: address, label: address }))}
          onChange={address => onChange({ ...from, address })}
        />
      )}
    </div>
  );
}
