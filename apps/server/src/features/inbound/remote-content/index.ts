/** What the rest of the server may use of features/inbound/remote-content. */
export { formatOneClick } from './one-click.ts';
