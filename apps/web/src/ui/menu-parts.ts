// Hands the kit's menu parts from the popup, which is a chunk of its own, to the entries inside it. So the entries can be
// written where they are needed without pulling the kit into the first chunk.
import type { Menu } from '@base-ui/react/menu';
import { createContext } from 'react';

export type MenuParts = Pick<typeof Menu, 'Item' | 'CheckboxItem' | 'Separator'>;

/** null outside an open menu. */
export const MenuPartsContext = createContext<MenuParts | null>(null);
