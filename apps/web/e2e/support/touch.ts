// Finds touch targets that are too small: buttons, links and checkboxes with less than 44 pixels
// around their center (docs/acceptance.md 75), determined by hit testing. Links within a sentence
// are as high as their line, which WCAG 2.5.8 allows.
import type { Page } from 'playwright-core';

/**
 * Returns the small targets within a part of the page, by name and size. `scrolls` scrolls each
 * into view first; without it, targets outside the page or under one of its bars are left out.
 */
export const missedTargets = (page: Page, within: string, { scrolls = false } = {}): Promise<string[]> =>
  page.evaluate(
    ([selector, isScrolling]) => {
      const reach = 21;
      const all = [
        ...document.querySelectorAll<HTMLElement>(
          `:is(${selector}) :is(button, a[href], [role=checkbox], [role=combobox]:not(input), input[type=checkbox])`,
        ),
      ];
      const isInSentence = (one: HTMLElement) =>
        getComputedStyle(one).display === 'inline' &&
        [...(one.parentElement?.childNodes ?? [])].some(
          other => other.nodeType === Node.TEXT_NODE && other.textContent?.trim() !== '',
        );
      return all.flatMap(one => {
        if (!one.checkVisibility({ opacityProperty: true }) || isInSentence(one)) return [];
        // A checkbox is as large as the line that contains it.
        const target = one.closest('label') ?? one;
        if (isScrolling) target.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { left, right, top, bottom } = target.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const isOn = x > reach && y > reach && x < innerWidth - reach && y < innerHeight - reach;
        if (!isOn) return [];
        const hits = (dx: number, dy: number) => {
          const there = document.elementFromPoint(x + dx, y + dy);
          return there !== null && (target.contains(there) || there.closest('label')?.contains(one) === true);
        };
        if (!hits(0, 0)) return [];
        // A target covered by a bar has to be scrolled first.
        const isCovered = [reach, -reach].some(dy => {
          const bar = document.elementFromPoint(x, y + dy)?.closest('[data-keep-clear]');
          return bar != null && !bar.contains(one);
        });
        if (isCovered) return [];
        const isHit = [hits(reach, 0), hits(-reach, 0), hits(0, reach), hits(0, -reach)].every(Boolean);
        const name = one.getAttribute('aria-label') ?? one.textContent;
        return isHit ? [] : [`${name} ${Math.round(right - left)}x${Math.round(bottom - top)}`];
      });
    },
    [within, scrolls] as const,
  );
