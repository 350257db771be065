// The search field, connected: what is typed becomes the fragment of the address while it is typed, operators become chips,
// and Esc leads back to the list as it was. Everything but the bare field is fetched at its first use.
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { loadChunk } from '../../lib/load-chunk.ts';
import { mailPath, recieved } from '../../paths.ts';
import { hashOf, searchOf } from '../../search-address.ts';
import { useCommands } from '../../session/commands/commands.ts';
import { useUser } from '../../session/state/current-user.ts';
import { MAIL_SEARCH_DEBOUNCE_MS, SEARCH_WARM_MS } from '../../timing.ts';
import { knownPeople } from '../mail/state/queries.ts';
import { SearchBar } from './SearchBar.tsx';

type Tools = typeof import('./search-tools.ts');
type ListPlace = ReturnType<Tools['keepListPlace']>;

const loadTools = (): Promise<Tools> => loadChunk('search', () => import('./search-tools.ts'));

/** The search in the address: one that was asked for a moment ago is there before it is drawn. */
const askedSearch = (): string => searchOf(window.location.hash);

/** The search field of the top bar. */
export function ConnectedSearch({ inputRef }: { inputRef: RefObject<HTMLInputElement | null> }) {
  const user = useUser();
  const cache = useQueryClient();
  const { pathname, hash } = useLocation();
  const { tag = recieved } = useParams();
  const navigate = useNavigate();
  const active = searchOf(hash);
  const [typed, setTyped] = useState(active);
  const [seen, setSeen] = useState(active);
  /** Nothing is being typed: what stands there is meant. */
  const [isFinished, setFinished] = useState(true);
  /** Chips stand as the words that they are made of, so that what is typed takes the place of all. */
  const [isSpelt, setSpelt] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [activeIndex, setActiveIndex] = useState(-1);
  const [hasPanel, setPanel] = useState(false);
  const [tools, setTools] = useState<Tools | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const origin = useRef<ListPlace | null>(null);
  const isFetching = useIsFetching({ queryKey: ['mail-list', 'all', { search: active }] }) > 0;
  /** Searches that were made by typing, and the end of one: each comes back after the next letter was typed already. */
  const own = useRef(new Set<string>());
  if (seen !== active) {
    setSeen(active);
    const isEcho = own.current.has(active) && document.activeElement === inputRef.current;
    if (!isEcho && active !== typed.trim()) {
      setTyped(active);
      setFinished(true);
    }
  }
  const load = () => void loadTools().then(setTools, () => undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a search in the address
  useEffect(() => {
    if (active !== '') load();
  }, [active === '']);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a search comes once
  useEffect(() => void own.current.delete(''), [active]);
  useEffect(() => {
    const warming = setTimeout(
      () =>
        void loadTools().then(
          found => found.ensureSearch(),
          () => undefined,
        ),
      SEARCH_WARM_MS,
    );
    return () => clearTimeout(warming);
  }, []);

  useEffect(() => {
    if (isSpelt) inputRef.current?.select();
  }, [isSpelt, inputRef]);

  const { chips, text } = (isSpelt ? null : tools?.splitQuery(typed, isFinished)) ?? {
    chips: [],
    text: typed,
  };
  const isInMail = pathname.startsWith('/app/inbox');
  const apply = (wanted: string) => {
    clearTimeout(timer.current);
    const asked = askedSearch();
    if (wanted.trim() === asked) return;
    if (wanted.trim() === '') return leave();
    own.current.add(wanted.trim());
    // Where one is now: what was drawn when this was typed may be the search before.
    const { pathname: place, search: query } = window.location;
    if (asked === '') origin.current = isInMail ? (tools?.keepListPlace(place, query) ?? null) : null;
    const target = { pathname: isInMail ? place : mailPath(recieved), hash: hashOf(wanted.trim()) };
    void navigate(target, { replace: asked !== '' });
  };
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
  const type = (next: string) => {
    const whole = tools?.joinQuery({ chips, text: next }) ?? next;
    setTyped(whole);
    setSpelt(false);
    setFinished(false);
    setOpen(true);
    setActiveIndex(-1);
    clearTimeout(timer.current);
    if (isInMail) timer.current = setTimeout(() => apply(whole), MAIL_SEARCH_DEBOUNCE_MS);
  };
  const search = (wanted: string, goesOn = false) => {
    setTyped(wanted);
    setFinished(true);
    setOpen(false);
    setActiveIndex(-1);
    tools?.rememberSearch(wanted);
    apply(wanted);
    const field = inputRef.current;
    if (goesOn && field !== null && wanted.trim() !== '')
      void loadTools().then(
        found => found.goToFirstHit(cache, wanted.trim(), field),
        () => undefined,
      );
  };
  const removeChip = (index: number) => {
    const rest = chips.filter((_, at) => at !== index);
    const whole = tools?.joinQuery({ chips: rest, text }) ?? '';
    setTyped(whole);
    setFinished(true);
    apply(whole);
  };
  // From the hits Esc leads back too, once nothing else is open or selected: whoever has that says so after this.
  useCommands([{ id: 'back', run: leave, isEnabled: () => active !== '' }]);
  const suggestions =
    tools !== null && isOpen
      ? tools.suggest(isFinished && typed !== '' ? `${typed} ` : typed, {
          people: knownPeople(cache),
          tags: user?.tags.map(({ name }) => name) ?? [],
          folder: tag,
        })
      : [];
  const choose = (index: number, byKey = false) => {
    const chosen = suggestions[index];
    if (chosen === undefined) return;
    if (chosen.isFinal) search(chosen.query, byKey);
    else {
      setTyped(chosen.query);
      setFinished(false);
      setActiveIndex(-1);
    }
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && suggestions.length > 0) {
      const count = suggestions.length + 1;
      setActiveIndex(now => ((now + 1 + step + count) % count) - 1);
      return true;
    }
    if (event.key !== 'Enter' || activeIndex < 0) return false;
    choose(activeIndex, true);
    return true;
  };
  return (
    <>
      <SearchBar
        inputRef={inputRef}
        text={text}
        chips={chips}
        isBusy={active !== '' && isFetching}
        onTextChange={type}
        onRemoveChip={removeChip}
        onSelectAll={() => setSpelt(true)}
        onSubmit={() => search(typed, true)}
        onClear={() => {
          setTyped('');
          setOpen(false);
          leave();
        }}
        onOpenPanel={() => {
          load();
          setPanel(true);
        }}
        onFocusChange={isFocused => {
          if (isFocused) load();
          setOpen(isFocused);
          setSpelt(false);
          setActiveIndex(-1);
        }}
        onKey={onKey}
        {...(tools !== null && suggestions.length > 0
          ? {
              listId: tools.popupId,
              ...(activeIndex < 0 ? {} : { activeOptionId: tools.optionId(activeIndex) }),
              popup: (
                <tools.SearchPopup
                  suggestions={suggestions}
                  activeIndex={activeIndex}
                  isWhole={typed === ''}
                  onChoose={one => choose(suggestions.indexOf(one))}
                />
              ),
            }
          : {})}
      />
      {hasPanel && tools !== null && (
        <tools.SearchPanel
          query={typed}
          tags={user?.tags.map(({ name }) => name) ?? []}
          onClose={() => setPanel(false)}
          onSearch={wanted => {
            setPanel(false);
            search(wanted);
          }}
        />
      )}
    </>
  );
}
