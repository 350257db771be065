/** Public interface of features/inbound/remote-content. */
export { formatOneClick } from './one-click.ts';
