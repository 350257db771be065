// A menu that opens from a button. Its entries are MenuItem and MenuSeparator. The popup's chunk is
// fetched when the button is first pointed at, focused or pressed; the button itself is always
// rendered.
import {
  cloneElement,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  type SyntheticEvent,
  useRef,
  useState,
} from 'react';
import { loadChunk } from '../lib/load-chunk.ts';

const load = () => loadChunk('menu', () => import('./MenuPopup.tsx'));
const MenuPopup = lazy(async () => ({ default: (await load()).MenuPopup }));
const warm = () => void load().catch(() => undefined);

type MenuProps = {
  /** One button, which must pass its attributes on. */
  trigger: ReactElement;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
};

/** `trigger` opens a menu of the children. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const control = useRef<HTMLElement>(null);
  const own = trigger as ReactElement<Record<string, unknown>>;
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  const [isByKey, setByKey] = useState(false);
  const isOpen = state === 'open';
  const toggle = (event: SyntheticEvent<HTMLElement>) => {
    control.current = event.currentTarget;
    // A click without a pointer comes from Enter or Space on the button.
    setByKey(event.type === 'keydown' || (event.nativeEvent as MouseEvent).detail === 0);
    setState(isOpen ? 'closed' : 'open');
  };
  const button = cloneElement(own, {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    onPointerEnter: warm,
    onFocus: warm,
    onClick: toggle,
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'ArrowDown' || isOpen) return;
      event.preventDefault();
      toggle(event);
    },
  });
  const label = own.props.label ?? own.props['aria-label'];
  return (
    <>
      {button}
      {state !== 'never' && (
        <Suspense>
          <MenuPopup
            control={control}
            label={typeof label === 'string' ? label : undefined}
            align={align}
            isOpen={isOpen}
            isByKey={isByKey}
            onClose={() => setState('closed')}
          >
            {children}
          </MenuPopup>
        </Suspense>
      )}
    </>
  );
}
