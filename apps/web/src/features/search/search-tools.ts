// What the search field needs once somebody uses it, as one chunk.
export { joinQuery, splitQuery } from '@keyfold/search/chips';
export { goToFirstHit } from './first-hit.ts';
export { keepListPlace, restoreListPlace } from './list-place.ts';
export { SearchPanel } from './SearchPanel.tsx';
export { optionId, popupId, SearchPopup } from './SearchPopup.tsx';
export { rememberSearch } from './search-state.ts';
export { ensureSearch } from './start.ts';
export { type Suggestion, suggest } from './suggestions.ts';
