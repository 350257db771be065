// Whether a table of users has room: under this width its last column, the one with the button, would have to be scrolled to.
import { useMedia } from '../../lib/media.ts';

/** Live; without room each user is a card. */
export const useTableRoom = (): boolean => useMedia('(min-width: 960px)');
