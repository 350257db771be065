// What stands in the search field and what is open at it, as a reducer. Knows neither the address nor what suggestions say.

type SearchTyping = {
  readonly typed: string;
  /** Nothing is being typed: what stands there is meant. */
  readonly isFinished: boolean;
  /** Chips stand as the words that they are made of, so that what is typed takes the place of all. */
  readonly isSpelt: boolean;
  readonly isOpen: boolean;
  /** The highlighted suggestion; -1 for none. */
  readonly activeIndex: number;
  readonly hasPanel: boolean;
};

export type SearchEvent =
  /** A key in the field. */
  | { readonly kind: 'type'; readonly whole: string }
  /** A chip was taken out, or the address has another search. */
  | { readonly kind: 'replace'; readonly whole: string }
  | { readonly kind: 'search'; readonly wanted: string }
  /** A suggestion that wants more words. */
  | { readonly kind: 'suggest'; readonly query: string }
  | { readonly kind: 'clear' }
  | { readonly kind: 'spell' }
  | { readonly kind: 'focus'; readonly isFocused: boolean }
  /** An arrow key among so many suggestions. */
  | { readonly kind: 'step'; readonly step: number; readonly count: number }
  | { readonly kind: 'panel'; readonly isOpen: boolean };

export const startTyping = (typed: string): SearchTyping => ({
  typed,
  isFinished: true,
  isSpelt: false,
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
        isSpelt: false,
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
      return { ...state, isSpelt: true };
    case 'focus':
      return { ...state, isOpen: event.isFocused, isSpelt: false, activeIndex: -1 };
    case 'step': {
      // The field itself is one of the places.
      const places = event.count + 1;
      return { ...state, activeIndex: ((state.activeIndex + 1 + event.step + places) % places) - 1 };
    }
    case 'panel':
      return { ...state, hasPanel: event.isOpen };
  }
}
