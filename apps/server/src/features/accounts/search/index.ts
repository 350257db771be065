/** Public interface of features/accounts/search for the rest of the server. */
export { forgetSegments } from './service.ts';
