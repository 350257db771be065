// Where the search field leads: a search becomes the fragment of the address, its end leads back to the list as it was. And
// what the field needs beyond itself, fetched at its first use.
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { loadChunk } from '../../lib/load-chunk.ts';
import { mailPath, recieved } from '../../paths.ts';
import { hashOf, searchOf } from '../../search-address.ts';
import { MAIL_SEARCH_DEBOUNCE_MS, SEARCH_WARM_MS } from '../../timing.ts';

type Tools = typeof import('./search-tools.ts');
type ListPlace = ReturnType<Tools['keepListPlace']>;

export const loadSearchTools = (): Promise<Tools> => loadChunk('search', () => import('./search-tools.ts'));

/** The tools, once they are loaded, and what loads them: for a search in the address at once, else when it is asked for. */
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

/** The search in the address: one that was asked for a moment ago is there before it is drawn. */
const askedSearch = (): string => searchOf(window.location.hash);

/** Leads to searches and back; `active` is the search that is drawn, at `pathname`. */
export function useSearchPlace(active: string, pathname: string, tools: Tools | null) {
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const origin = useRef<ListPlace | null>(null);
  /** Searches that were made by typing, and the end of one: each comes back after the next letter was typed already. */
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
    // Where one is now: what was drawn when this was typed may be the search before.
    const { pathname: place, search: query } = window.location;
    if (asked === '') origin.current = isInMail ? (tools?.keepListPlace(place, query) ?? null) : null;
    const target = { pathname: isInMail ? place : mailPath(recieved), hash: hashOf(wanted.trim()) };
    void navigate(target, { replace: asked !== '' });
  }
  return {
    apply,
    leave,
    /** Searches while somebody types, where mail is on the screen. */
    applySoon: (wanted: string) => {
      clearTimeout(timer.current);
      if (isInMail) timer.current = setTimeout(() => apply(wanted), MAIL_SEARCH_DEBOUNCE_MS);
    },
    /** Whether a search in the address comes of this field. */
    isOwn: (search: string) => own.current.has(search),
  };
}
