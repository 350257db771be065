// The separator between two groups of a Menu.
import { use } from 'react';
import { MenuPartsContext } from './menu-parts.ts';

export function MenuSeparator() {
  const parts = use(MenuPartsContext);
  return parts === null ? null : <parts.Separator className="my-1 h-px bg-line" />;
}
