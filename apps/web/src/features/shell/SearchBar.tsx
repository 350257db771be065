// The search field at the top: typed text, operator chips, and the button of the search panel.
import { Search, SlidersHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { Badge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';

type SearchChip = {
  /** For example "from". */
  operator: string;
  value: string;
  isNegated?: boolean;
};

const chipWords = ({ operator, value, isNegated = false }: SearchChip): string =>
  `${isNegated ? '−' : ''}${operator}: ${value}`;

export type SearchBarProps = {
  inputRef?: Ref<HTMLInputElement>;
  text: string;
  chips: readonly SearchChip[];
  isBusy?: boolean;
  onTextChange: (text: string) => void;
  onRemoveChip: (index: number) => void;
  /** Everything is to be selected, including the chips. */
  onSelectAll: () => void;
  onSubmit: () => void;
  /** Esc, or the button at the end: returns to the list as it was. */
  onClear: () => void;
  onOpenPanel?: () => void;
  onFocusChange?: (isFocused: boolean) => void;
  /** Handles keys of the suggestions; returns true when it handled the key. */
  onKey?: (event: KeyboardEvent) => boolean;
  /**
   * The suggestions, rendered below the field, with the ids of their list and of the active one.
   */
  popup?: ReactNode;
  listId?: string;
  activeOptionId?: string;
};

/**
 * The chips in one line that scrolls when there are too many, so that the field keeps its width.
 * The last chip stays visible.
 */
function ChipLine({ chips, onRemove }: { chips: readonly SearchChip[]; onRemove: (index: number) => void }) {
  const line = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each number of chips
  useEffect(() => {
    line.current?.lastElementChild?.scrollIntoView({ block: 'nearest', inline: 'end' });
  }, [chips.length]);
  return (
    <div
      ref={line}
      className="flex min-w-0 items-center gap-1.5 overflow-x-auto [scrollbar-width:none] *:shrink-0"
    >
      {chips.map((chip, index) => (
        <Badge key={chipWords(chip)} tone="info">
          <span dir="auto" className="max-w-44 truncate">
            {chipWords(chip)}
          </span>
          <button
            type="button"
            aria-label={t('Remove {name}', { name: chipWords(chip) })}
            onClick={() => onRemove(index)}
            className="-me-1 grid size-4 place-items-center rounded-full hover:bg-current/10"
          >
            <X size={11} />
          </button>
        </Badge>
      ))}
    </div>
  );
}

/** Enter searches, Backspace in the empty field removes the last chip, Esc leaves. */
export function SearchBar(props: SearchBarProps) {
  const {
    inputRef,
    text,
    chips,
    isBusy = false,
    onTextChange,
    onRemoveChip,
    onSelectAll,
    onSubmit,
    onClear,
    onOpenPanel,
    onFocusChange,
    onKey,
    popup,
    listId,
    activeOptionId,
  } = props;
  const isEmpty = text === '' && chips.length === 0;
  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (onKey?.(event) === true) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === 'Enter') onSubmit();
    else if (event.key === 'Escape') {
      onClear();
      event.currentTarget.blur();
    } else if (event.key === 'Backspace' && text === '' && chips.length > 0) onRemoveChip(chips.length - 1);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && chips.length > 0) onSelectAll();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="relative flex h-9 max-w-[640px] min-w-0 flex-1 items-center gap-2.5 rounded-control bg-well ps-3 pe-2 has-[input:focus]:outline-2 has-[input:focus]:outline-focus pointer-coarse:h-10">
      {isBusy ? (
        <Spinner className="text-ink-3" />
      ) : (
        <Search aria-hidden size={16} className="shrink-0 text-ink-3" />
      )}
      {chips.length > 0 && <ChipLine chips={chips} onRemove={onRemoveChip} />}
      <input
        ref={inputRef}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={t('Search mail')}
        autoComplete="off"
        spellCheck={false}
        placeholder={chips.length === 0 ? t('Search mail') : ''}
        value={text}
        onChange={event => onTextChange(event.target.value)}
        onKeyDown={key}
        onFocus={() => onFocusChange?.(true)}
        onBlur={() => onFocusChange?.(false)}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={popup !== undefined}
        {...(listId === undefined ? {} : { 'aria-controls': listId })}
        {...(activeOptionId === undefined ? {} : { 'aria-activedescendant': activeOptionId })}
        className={cn(
          'h-full flex-1 bg-transparent outline-none',
          chips.length === 0 ? 'min-w-0' : 'min-w-24 max-pane:min-w-16',
        )}
      />
      {!isEmpty && (
        <IconButton tip={false} size="sm" label={t('Clear search')} onClick={onClear}>
          <X size={15} />
        </IconButton>
      )}
      {onOpenPanel !== undefined && (
        <IconButton tip={false} size="md" label={t('Search options')} onClick={onOpenPanel}>
          <SlidersHorizontal size={15} />
        </IconButton>
      )}
      {isEmpty && (
        <kbd
          aria-hidden
          className="rounded-chip border border-line bg-raised px-1.5 font-sans text-tiny text-ink-3 max-pane:hidden pointer-coarse:hidden"
        >
          /
        </kbd>
      )}
      {popup}
    </search>
  );
}
