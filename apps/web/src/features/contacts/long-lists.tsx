// Partial rendering of long lists: an address book may have tens of thousands of contacts, and an
// import may create up to a thousand groups.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { Button } from '../../ui/Button.tsx';

const SHOWN_FIRST = 100;

/** Returns the first entries of a list, and a button that shows the others. */
export function useFirst<T>(list: readonly T[]): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || list.length <= SHOWN_FIRST) return { shown: list, more: null };
  const more = (
    <div>
      <Button variant="quiet" size="sm" onClick={() => setWhole(true)}>
        {t('Show all {count}', { count: formatCount(list.length) })}
      </Button>
    </div>
  );
  return { shown: list.slice(0, SHOWN_FIRST), more };
}

const STEP = 100;

/**
 * Returns the part of a list to render, and an element for its end that extends it as it scrolls
 * near. A new `name` starts over.
 */
export function useGrowing<T>(
  list: readonly T[],
  name: string,
): { readonly shown: readonly T[]; readonly end: ReactNode } {
  const [drawn, setDrawn] = useState({ name, count: STEP });
  const count = drawn.name === name ? drawn.count : STEP;
  const mark = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const at = mark.current;
    if (at === null || count >= list.length) return;
    const watcher = new IntersectionObserver(
      seen => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setDrawn({ name, count: count + STEP });
      },
      { rootMargin: '600px' },
    );
    watcher.observe(at);
    return () => watcher.disconnect();
  }, [count, list.length, name]);
  return {
    shown: list.slice(0, count),
    end: count < list.length ? <li ref={mark} aria-hidden className="h-px" /> : null,
  };
}
