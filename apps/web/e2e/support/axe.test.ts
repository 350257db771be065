// The defect check finds defects: on a page with one of several kinds, in whole and in part, and
// again after a reload.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../harness/open-browser.ts';
import { findDefects } from './axe.ts';

const page = `<!doctype html><html lang="en"><title>A page</title>
<main><h1>A page</h1><p style="color:#bbb">Pale words</p><button></button></main>
<footer><img src="data:," width="9" height="9"></footer>
<iframe title="A mail" srcdoc="<button></button>"></iframe></html>`;

describe.skipIf(chromiumPath === null)('axe (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('finds defects on the whole page or within an element, and ignores frames', async () => {
    const there = await browser.newPage();
    await there.setContent(page);
    const idsOf = (defects: readonly string[]) => defects.map(one => one.split(':')[0]).toSorted();
    expect(idsOf(await findDefects(there))).toEqual(['button-name', 'color-contrast', 'image-alt']);
    expect(idsOf(await findDefects(there, { within: 'footer' }))).toEqual(['image-alt']);
    expect(await findDefects(there)).toContainEqual('button-name: <button></button>');
    await there.goto('about:blank');
    await there.setContent('<!doctype html><html lang="en"><title>A page</title><main><h1>Fine</h1></main>');
    expect(await findDefects(there)).toEqual([]);
    // By all rules of the library, the page also lacks a heading.
    await there.setContent('<!doctype html><html lang="en"><title>A page</title><main>Words</main></html>');
    expect(await findDefects(there)).toEqual([]);
    expect(idsOf(await findDefects(there, { tags: [] }))).toEqual(['page-has-heading-one']);
  });
});
