// What axe finds on a page: the rules of WCAG 2.2 A and AA, one page at a time. The library is put into a page once and asked
// there for what is wrong alone: a list of all that is right costs more than finding it. Frames are left out: that of a mail
// runs no script, not even axe's.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { clusterKillsMs } from './cluster-mode.ts';

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

type InPage = { readonly axe?: typeof axe };

/**
 * The defects of the page as it stands, or of a part of it, each with its elements; by the rules of these tags, or by all that
 * axe has where there are none.
 */
export async function findDefects(
  page: Page,
  { within = 'html', tags = wcag }: { readonly within?: string; readonly tags?: readonly string[] } = {},
): Promise<string[]> {
  // How a page looks does not depend on which node answered: it is looked at where none is killed.
  if (clusterKillsMs !== null) return [];
  // A page that was loaded anew has it no more.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([part, values]) => {
      const there = (globalThis as InPage).axe;
      if (there === undefined) throw new Error('The page was left meanwhile');
      const { violations } = await there.run(part, {
        iframes: false,
        // Of what passes, nobody reads the elements.
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
