// The state of the mail view in the address (folder or tag, page, open message, filter, search),
// and the functions that change it. Reload and the back button therefore keep it
// (docs/interpretations.md#44).
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { mailPath, recieved } from '../../paths.ts';
import { searchOf } from '../../search-address.ts';
import type { ListFilter } from './state/view-model.ts';

const filters: readonly string[] = ['all', 'unread', 'starred', 'attachment'];
const isFilter = (text: string | null): text is ListFilter => text !== null && filters.includes(text);

/** Provides the address, live. */
export function useMailAddress() {
  const { tag = recieved, index = '0' } = useParams();
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const navigate = useNavigate();
  // The router's own setter for the query drops the fragment, which contains the search.
  const setQuery = (next: URLSearchParams, replace = false, fragment = hash) =>
    void navigate({ search: next.size === 0 ? '' : `?${next}`, hash: fragment }, { replace });
  const page = /^\d{1,6}$/.test(index) ? Number(index) : 0;
  const filter = query.get('f');
  const change = (name: string, value: string | null, replace = false) => {
    const next = new URLSearchParams(query);
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
    setQuery(next, replace);
  };
  return {
    word: tag,
    page,
    openId: query.get('m'),
    filter: isFilter(filter) ? filter : ('all' as const),
    search: searchOf(hash),
    hrefOf: (id: string) => {
      const next = new URLSearchParams(query);
      next.set('m', id);
      return `${mailPath(tag, page)}?${next}${hash}`;
    },
    open: (id: string | null, replace = false) => change('m', id, replace),
    setFilter: (next: ListFilter) => change('f', next === 'all' ? null : next),
    /**
     * Clears filter and search in one step: two consecutive changes of the address would undo each
     * other.
     */
    showAll: () => {
      const next = new URLSearchParams(query);
      next.delete('f');
      setQuery(next, false, '');
    },
    navigate,
  };
}

export type MailAddress = ReturnType<typeof useMailAddress>;
