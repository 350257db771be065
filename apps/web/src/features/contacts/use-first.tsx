// The first of a long list, and a button for the others: an address book can come to thousands of groups by a file.
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { Button } from '../../ui/Button.tsx';

const SHOWN_FIRST = 100;

/** What of a list is drawn, and what stands under it. */
export function useFirst<T>(list: readonly T[]): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || list.length <= SHOWN_FIRST) return { shown: list, more: null };
  const more = (
    <div>
      <Button variant="quiet" size="sm" onClick={() => setWhole(true)}>
        {t('Show all {count}', { count: formatCount(list.length) })}
      </Button>
    </div>
  );
  return { shown: list.slice(0, SHOWN_FIRST), more };
}
