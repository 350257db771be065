// Runs axe with the WCAG 2.2 A and AA rules, one page at a time. The library is injected into a
// page once and returns violations only, because listing everything that passes costs more than
// finding it. Frames are left out: a message's frame runs no script, not even axe's.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { clusterKillsMs } from './cluster-mode.ts';

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

type InPage = { readonly axe?: typeof axe };

/**
 * Returns the defects of the page in its current state, or of a part of it, each with its elements;
 * by the rules with these tags, or by all axe rules when there are no tags.
 */
export async function findDefects(
  page: Page,
  { within = 'html', tags = wcag }: { readonly within?: string; readonly tags?: readonly string[] } = {},
): Promise<string[]> {
  // The look of a page does not depend on which node responded, so runs that kill nodes skip the
  // check.
  if (clusterKillsMs !== null) return [];
  // A reloaded page has lost the library.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([part, values]) => {
      const there = (globalThis as InPage).axe;
      if (there === undefined) throw new Error('The page was left meanwhile');
      const { violations } = await there.run(part, {
        iframes: false,
        // The elements of passing rules are not used.
        resultTypes: ['violations'],
        ...(values.length === 0 ? {} : { runOnly: { type: 'tag' as const, values: [...values] } }),
      });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160)).join(' | ')}`,
      );
    },
    [within, tags] as const,
  );
}
