// The sender's address, when there is more than one to choose from: the primary one and the others (readings 84).
import type { Person } from '../../crypto/letter.ts';
import { useUser } from '../../session/current-user.ts';
import { Select } from '../../ui/Select.tsx';

/** Nothing with a single address. */
export function FromField({ from, onChange }: { from: Person; onChange: (from: Person) => void }) {
  const user = useUser();
  const addresses = user === null ? [] : [user.email, ...user.addresses];
  if (addresses.length < 2) return null;
  return (
    <Select
      label="From"
      value={from.address}
      options={addresses.map(address => ({ value: address, label: address }))}
      onChange={address => onChange({ ...from, address })}
    />
  );
}
