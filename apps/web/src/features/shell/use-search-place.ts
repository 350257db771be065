// Navigation of the search field: a search becomes the fragment of the address, and ending it
// returns to the list as it was. Also loads the code that the field needs, at its first use.
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { loadChunk } from '../../lib/load-chunk.ts';
import { mailPath, recieved } from '../../paths.ts';
import { hashOf, searchOf } from '../../search-address.ts';
import { MAIL_SEARCH_DEBOUNCE_MS, SEARCH_WARM_MS } from '../../timing.ts';

type Tools = typeof import('./search-tools.ts');
type ListPlace = ReturnType<Tools['keepListPlace']>;

export const loadSearchTools = (): Promise<Tools> => loadChunk('search', () => import('./search-tools.ts'));

/**
 * Provides the tools once they are loaded, and a function that loads them: at once for a search in
 * the address, else on request.
 */
export function useSearchTools(active: string) {
  const [tools, setTools] = useState<Tools | null>(null);
  const load = () => void loadSearchTools().then(setTools, () => undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a search in the address
  useEffect(() => {
    if (active !== '') load();
  }, [active === '']);
  useEffect(() => {
    const warming = setTimeout(
      () =>
        void loadSearchTools().then(
          found => found.ensureSearch(),
          () => undefined,
        ),
      SEARCH_WARM_MS,
    );
    return () => clearTimeout(warming);
  }, []);
  return { tools, load };
}

/**
 * The search in the address. A search requested a moment ago is already there before it is
 * rendered.
 */
const askedSearch = (): string => searchOf(window.location.hash);

/** Opens searches and returns from them. `active` is the rendered search, at `pathname`. */
export function useSearchPlace(active: string, pathname: string, tools: Tools | null) {
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const origin = useRef<ListPlace | null>(null);
  /**
   * Searches that typing has started, and the end of a search. Each shows up in `active` only after
   * the user may have typed more.
   */
  const own = useRef(new Set<string>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a search comes once
  useEffect(() => void own.current.delete(''), [active]);
  const isInMail = pathname.startsWith('/app/inbox');
  function leave(): void {
    clearTimeout(timer.current);
    if (askedSearch() === '') return;
    own.current.clear();
    if (active !== '') own.current.add('');
    const back = origin.current;
    origin.current = null;
    void navigate(back === null ? { pathname } : { pathname: back.pathname, search: back.query }, {
      replace: true,
    });
    if (back !== null) tools?.restoreListPlace(back);
  }
  function apply(wanted: string): void {
    clearTimeout(timer.current);
    const asked = askedSearch();
    if (wanted.trim() === asked) return;
    if (wanted.trim() === '') {
      leave();
      return;
    }
    own.current.add(wanted.trim());
    // The current location: the rendered search may be older than the typed one.
    const { pathname: place, search: query } = window.location;
    if (asked === '') origin.current = isInMail ? (tools?.keepListPlace(place, query) ?? null) : null;
    const target = { pathname: isInMail ? place : mailPath(recieved), hash: hashOf(wanted.trim()) };
    void navigate(target, { replace: asked !== '' });
  }
  return {
    apply,
    leave,
    /** Searches while the user types, when mail is on the screen. */
    applySoon: (wanted: string) => {
      clearTimeout(timer.current);
      if (isInMail) timer.current = setTimeout(() => apply(wanted), MAIL_SEARCH_DEBOUNCE_MS);
    },
    /** Returns whether a search in the address was started by this field. */
    isOwn: (search: string) => own.current.has(search),
  };
}
