// The search field, connected: the typed text becomes the fragment of the address while the user
// types, operators become chips, and Esc returns to the list as it was. Everything beyond the plain
// field is loaded at first use.
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useEffect, useReducer, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { recieved } from '../../paths.ts';
import { searchOf } from '../../search-address.ts';
import { useCommands } from '../../session/commands/commands.ts';
import { useUser } from '../../session/state/current-user.ts';
import { knownPeople } from '../mail/state/queries.ts';
import { SearchBar } from './SearchBar.tsx';
import { searchTyping, startTyping } from './search-typing.ts';
import { loadSearchTools, useSearchPlace, useSearchTools } from './use-search-place.ts';

type InputRef = RefObject<HTMLInputElement | null>;

/** Manages the typed text and the suggestions, and handles keys and buttons. */
function useSearchField(inputRef: InputRef) {
  const user = useUser();
  const cache = useQueryClient();
  const { pathname, hash } = useLocation();
  const { tag = recieved } = useParams();
  const active = searchOf(hash);
  const [typing, tell] = useReducer(searchTyping, active, startTyping);
  const { typed, isFinished, isSpelled, isOpen, activeIndex } = typing;
  const [seen, setSeen] = useState(active);
  const { tools, load } = useSearchTools(active);
  const place = useSearchPlace(active, pathname, tools);
  if (seen !== active) {
    setSeen(active);
    const isEcho = place.isOwn(active) && document.activeElement === inputRef.current;
    if (!isEcho && active !== typed.trim()) tell({ kind: 'replace', whole: active });
  }
  useEffect(() => {
    if (isSpelled) inputRef.current?.select();
  }, [isSpelled, inputRef]);
  // Esc also returns from the hits once nothing else is open or selected. Components with an open
  // item or a selection register their own command later.
  useCommands([{ id: 'back', run: place.leave, isEnabled: () => active !== '' }]);

  const { chips, text } = (isSpelled ? null : tools?.splitQuery(typed, isFinished)) ?? {
    chips: [],
    text: typed,
  };
  const tags = user?.tags.map(({ name }) => name) ?? [];
  const suggestions =
    tools !== null && isOpen
      ? tools.suggest(isFinished && typed !== '' ? `${typed} ` : typed, {
          people: knownPeople(cache),
          tags,
          folder: tag,
        })
      : [];
  const type = (next: string) => {
    const whole = tools?.joinQuery({ chips, text: next }) ?? next;
    tell({ kind: 'type', whole });
    place.applySoon(whole);
  };
  const search = (wanted: string, goesOn = false) => {
    tell({ kind: 'search', wanted });
    tools?.rememberSearch(wanted);
    place.apply(wanted);
    const field = inputRef.current;
    if (goesOn && field !== null && wanted.trim() !== '')
      void loadSearchTools().then(
        found => found.goToFirstHit(cache, wanted.trim(), field),
        () => undefined,
      );
  };
  const removeChip = (index: number) => {
    const whole = tools?.joinQuery({ chips: chips.filter((_, at) => at !== index), text }) ?? '';
    tell({ kind: 'replace', whole });
    place.apply(whole);
  };
  const choose = (index: number, byKey = false) => {
    const chosen = suggestions[index];
    if (chosen === undefined) return;
    if (chosen.isFinal) search(chosen.query, byKey);
    else tell({ kind: 'suggest', query: chosen.query });
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && suggestions.length > 0) {
      tell({ kind: 'step', step, count: suggestions.length });
      return true;
    }
    if (event.key !== 'Enter' || activeIndex < 0) return false;
    choose(activeIndex, true);
    return true;
  };
  return {
    active,
    typing,
    tell,
    tools,
    load,
    chips,
    text,
    tags,
    suggestions,
    type,
    search,
    removeChip,
    choose,
    onKey,
    leave: place.leave,
  };
}

/** Renders the search field of the top bar. */
export function ConnectedSearch({ inputRef }: { inputRef: InputRef }) {
  const { active, typing, tell, tools, load, tags, suggestions, search, choose, leave, ...field } =
    useSearchField(inputRef);
  const { typed, activeIndex, hasPanel } = typing;
  const isFetching = useIsFetching({ queryKey: ['mail-list', 'all', { search: active }] }) > 0;
  return (
    <>
      <SearchBar
        inputRef={inputRef}
        text={field.text}
        chips={field.chips}
        isBusy={active !== '' && isFetching}
        onTextChange={field.type}
        onRemoveChip={field.removeChip}
        onSelectAll={() => tell({ kind: 'spell' })}
        onSubmit={() => search(typed, true)}
        onClear={() => {
          tell({ kind: 'clear' });
          leave();
        }}
        onOpenPanel={() => {
          load();
          tell({ kind: 'panel', isOpen: true });
        }}
        onFocusChange={isFocused => {
          if (isFocused) load();
          tell({ kind: 'focus', isFocused });
        }}
        onKey={field.onKey}
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
          tags={tags}
          onClose={() => tell({ kind: 'panel', isOpen: false })}
          onSearch={wanted => {
            tell({ kind: 'panel', isOpen: false });
            search(wanted);
          }}
        />
      )}
    </>
  );
}
