/** What the rest of the server may use of features/accounts/search. */
export { forgetSegments } from './service.ts';
