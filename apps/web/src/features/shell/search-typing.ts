// State of the search field and its popups, as a reducer. Knows neither the address nor the content
// of suggestions.

type SearchTyping = {
  readonly typed: string;
  /** The user is not typing: the text is complete. */
  readonly isFinished: boolean;
  /** Chips are shown as text, so that typing replaces everything. */
  readonly isSpelled: boolean;
  readonly isOpen: boolean;
  /** Index of the highlighted suggestion; -1 for none. */
  readonly activeIndex: number;
  readonly hasPanel: boolean;
};

export type SearchEvent =
  /** The user typed in the field. */
  | { readonly kind: 'type'; readonly whole: string }
  /** A chip was removed, or the address has a different search. */
  | { readonly kind: 'replace'; readonly whole: string }
  | { readonly kind: 'search'; readonly wanted: string }
  /** The user chose a suggestion that needs more input. */
  | { readonly kind: 'suggest'; readonly query: string }
  | { readonly kind: 'clear' }
  | { readonly kind: 'spell' }
  | { readonly kind: 'focus'; readonly isFocused: boolean }
  /** The user pressed an arrow key among `count` suggestions. */
  | { readonly kind: 'step'; readonly step: number; readonly count: number }
  | { readonly kind: 'panel'; readonly isOpen: boolean };

export const startTyping = (typed: string): SearchTyping => ({
  typed,
  isFinished: true,
  isSpelled: false,
  isOpen: false,
  activeIndex: -1,
  hasPanel: false,
});

export function searchTyping(state: SearchTyping, event: SearchEvent): SearchTyping {
  switch (event.kind) {
    case 'type':
      return {
        ...state,
        typed: event.whole,
        isSpelled: false,
        isFinished: false,
        isOpen: true,
        activeIndex: -1,
      };
    case 'replace':
      return { ...state, typed: event.whole, isFinished: true };
    case 'search':
      return { ...state, typed: event.wanted, isFinished: true, isOpen: false, activeIndex: -1 };
    case 'suggest':
      return { ...state, typed: event.query, isFinished: false, activeIndex: -1 };
    case 'clear':
      return { ...state, typed: '', isOpen: false };
    case 'spell':
      return { ...state, isSpelled: true };
    case 'focus':
      return { ...state, isOpen: event.isFocused, isSpelled: false, activeIndex: -1 };
    case 'step': {
      // The field itself is one of the positions.
      const places = event.count + 1;
      return { ...state, activeIndex: ((state.activeIndex + 1 + event.step + places) % places) - 1 };
    }
    case 'panel':
      return { ...state, hasPanel: event.isOpen };
  }
}
