// The switch above the results that sets where to search: in the folder or tag, or everywhere. One
// of the two buttons is pressed; the other one changes the search.
import { Check } from 'lucide-react';
import { useNavigate, useParams } from 'react-router';
import { t } from '../../lib/language.ts';
import { recieved } from '../../paths.ts';
import { hashOf } from '../../search-address.ts';
import { Button } from '../../ui/Button.tsx';
import { placesOf } from './suggestions.ts';

/** Choosing puts a different query into the address. */
export function PlaceSwitch({ search }: { search: string }) {
  const { tag = recieved } = useParams();
  const navigate = useNavigate();
  return (
    <fieldset className="flex min-w-0 items-center gap-1">
      <legend className="sr-only">{t('Where to search')}</legend>
      <span aria-hidden className="text-ink-3">
        {t('Search in')}
      </span>
      {placesOf(search, tag).map(({ key, label, name, query, isChosen }) => (
        <Button
          key={key}
          variant={isChosen ? 'soft' : 'quiet'}
          size="xs"
          className="min-w-0 shrink gap-1"
          aria-label={name}
          aria-pressed={isChosen}
          onClick={() => {
            if (!isChosen) void navigate({ hash: hashOf(query.trim()) }, { replace: true });
          }}
        >
          {isChosen && <Check aria-hidden size={13} className="shrink-0" />}
          <span dir="auto" className="max-w-36 truncate">
            {label}
          </span>
        </Button>
      ))}
    </fieldset>
  );
}
