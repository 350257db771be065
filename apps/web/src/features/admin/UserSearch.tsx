// The search field of the user list: waits for a pause in typing, then changes the URL. A change of
// the URL from elsewhere, such as the back button, updates the field.
import { ADMIN_SEARCH_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { SEARCH_DEBOUNCE_MS } from '../../timing.ts';

/** Returns the text of the field and its setter; `onSettled` is called after a pause in typing. */
export function useTypedSearch(search: string, onSettled: (search: string) => void) {
  const [typed, setTyped] = useState(search);
  const [known, setKnown] = useState({ search, asked: search });
  if (search !== known.search) {
    setKnown({ search, asked: search });
    // The user may have typed more since the search was requested.
    if (search !== known.asked) setTyped(search);
  }
  const wanted = typed.trim();
  useEffect(() => {
    if (wanted === search) return;
    const timer = setTimeout(() => {
      setKnown(before => ({ ...before, asked: wanted }));
      onSettled(wanted);
    }, SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted, search, onSettled]);
  return { typed, setTyped, isSettled: wanted === search };
}

type UserSearchProps = {
  typed: string;
  onType: (text: string) => void;
};

export function UserSearch({ typed, onType }: UserSearchProps) {
  return (
    <label className="flex h-10 min-w-0 max-w-96 flex-1 basis-72 items-center gap-2.5 rounded-control border border-line-strong bg-surface px-3 focus-within:outline-2 focus-within:outline-focus pointer-coarse:h-11">
      <Search aria-hidden size={16} className="shrink-0 text-ink-3" />
      <input
        type="search"
        aria-label={t('Search users')}
        placeholder={t('Search users by name, email...')}
        autoComplete="off"
        maxLength={ADMIN_SEARCH_MAX_CHARACTERS}
        value={typed}
        onChange={event => onType(event.target.value)}
        className="h-full min-w-0 flex-1 bg-transparent text-base text-ellipsis outline-none placeholder:text-ink-3"
      />
    </label>
  );
}
