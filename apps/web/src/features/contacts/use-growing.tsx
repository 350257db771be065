// As much of a long list as has been scrolled to: an address book may have tens of thousands of people.
import { type ReactNode, useEffect, useRef, useState } from 'react';

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
