// What of a long list is drawn: an address book may have tens of thousands of people, and thousands of groups by a file.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { Button } from '../../ui/Button.tsx';

const SHOWN_FIRST = 100;

/** The first of a list, and a button for the others. */
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

/** The part of a list to draw, and an element for its end that draws more as it scrolls near. A new `name` starts again. */
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
