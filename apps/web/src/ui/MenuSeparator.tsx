// The line between two groups of a Menu.
import { Menu as Base } from '@base-ui/react/menu';

/** A hairline. */
export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
