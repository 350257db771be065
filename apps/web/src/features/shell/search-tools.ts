// Code that the search field needs once it is used, as one chunk.
export { joinQuery, splitQuery } from '@keyfold/search/chips';
export { goToFirstHit } from '../mail/state/first-hit.ts';
export { keepListPlace, restoreListPlace } from '../search/list-place.ts';
export { SearchPanel } from '../search/SearchPanel.tsx';
export { optionId, popupId, SearchPopup } from '../search/SearchPopup.tsx';
export { rememberSearch } from '../search/search-state.ts';
export { ensureSearch } from '../search/start.ts';
export { type Suggestion, suggest } from '../search/suggestions.ts';
