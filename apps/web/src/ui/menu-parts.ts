// Passes the UI library's menu parts from the popup, which is a separate chunk, to the entries
// inside it. This keeps the library out of the first chunk wherever entries are used.
import type { Menu } from '@base-ui/react/menu';
import { createContext } from 'react';

export type MenuParts = Pick<typeof Menu, 'Item' | 'CheckboxItem' | 'Separator'>;

/** null outside an open menu. */
export const MenuPartsContext = createContext<MenuParts | null>(null);
