// The list below the search field: a listbox of suggestions. The field's arrow keys move the active
// one. On a phone it fills the screen below the bar. The pointer chooses on press, before the field
// loses the focus.
import { AtSign, Clock, Filter, FolderSearch, Hash } from 'lucide-react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import type { Suggestion } from './suggestions.ts';

const icons = { recent: Clock, person: AtSign, operator: Filter, value: Hash, place: FolderSearch } as const;

const headings = (): Readonly<Record<Suggestion['kind'], string>> => ({
  recent: t('Recent searches'),
  person: t('People'),
  operator: t('Refine search'),
  value: t('Refine search'),
  place: t('Where to search'),
});

export const popupId = 'search-suggestions';
export const optionId = (index: number): string => `search-suggestion-${index}`;

type SearchPopupProps = {
  suggestions: readonly Suggestion[];
  activeIndex: number;
  /**
   * Nothing is typed yet: on a phone the suggestions fill the screen. Once there is text, the
   * results appear below them.
   */
  isWhole: boolean;
  onChoose: (suggestion: Suggestion) => void;
};

/** Renders the suggestions, grouped by kind. */
export function SearchPopup({ suggestions, activeIndex, isWhole, onChoose }: SearchPopupProps) {
  if (suggestions.length === 0) return null;
  const names = headings();
  return (
    <div
      className={cn(
        'absolute start-0 end-0 top-full z-50 mt-1.5 max-h-[min(70dvh,480px)] overflow-auto rounded-card border border-line bg-raised p-1 text-base text-ink shadow-mid max-pane:fixed max-pane:inset-x-0 max-pane:top-14 max-pane:mt-0 max-pane:rounded-none max-pane:border-x-0',
        isWhole ? 'max-pane:bottom-0 max-pane:max-h-none' : 'max-pane:max-h-[40dvh]',
      )}
      onPointerDown={event => event.preventDefault()}
    >
      <div id={popupId} role="listbox" aria-label={t('Search suggestions')}>
        {suggestions.map((one, index) => {
          const Icon = icons[one.kind];
          const before = suggestions[index - 1];
          const isFirst = before === undefined || names[before.kind] !== names[one.kind];
          return (
            <div key={`${one.kind} ${one.key}`} role="presentation">
              {isFirst && (
                <div role="presentation" className="px-2.5 pt-2 pb-1 text-tiny font-semibold text-ink-3">
                  {names[one.kind]}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field's keys choose */}
              {/* biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus */}
              <div
                id={optionId(index)}
                role="option"
                aria-selected={index === activeIndex}
                onClick={() => onChoose(one)}
                className={cn(
                  'flex min-h-8 cursor-default items-center gap-2.5 rounded-control px-2.5 hover:bg-hover pointer-coarse:min-h-11',
                  index === activeIndex && 'bg-hover',
                )}
              >
                <Icon aria-hidden size={15} className="shrink-0 text-ink-3" />
                <span dir="auto" className="truncate">
                  {one.label}
                </span>
                {one.hint !== undefined && (
                  <span dir="auto" className="min-w-0 truncate text-meta text-ink-3">
                    {one.hint}
                  </span>
                )}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}
