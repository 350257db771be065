// What axe finds on a page: the rules of WCAG 2.2 A and AA, one page at a time. The mail frame runs no script, not even
// axe's, and would be waited for.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The defects of the page as it stands, each with its elements. */
export const findDefects = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    // Of what passes, nobody reads the elements.
    .options({ iframes: false, resultTypes: ['violations'] })
    .withTags(rules)
    .analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160)).join(' | ')}`,
  );
};
