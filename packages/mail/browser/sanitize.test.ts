// The sanitizer and the message frame in Chromium. Our own channels are first proven to work
// unsanitized. Then each guard must stop all of them alone: the sanitizer in a frame that allows
// everything, and the frame without the sanitizer. Finally both run together under the product's
// policy, with every available corpus.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasCorpora, NO_CORPORA } from '../test-support/corpora.ts';
import { htmlCorpora } from '../test-support/html-corpora.ts';
import { fillChannel, type Harness, hasChromium, startHarness } from './harness.ts';
import { REQUEST_CHANNELS, SCRIPT_CHANNELS } from './hostile-channels.ts';
import type { FrameKind, Mail } from './page.ts';

/** Messages that a page shows at once; unsanitized ones have a frame each. */
const BATCH = { clean: 400, untouched: 80 };
// Event handlers that appear only to a parser of foreign markup: harmless, but the policy logs
// them. [Note: Strict policy]
const LOGGED = (html: string): boolean => /<svg>(?:<!\[CDATA\[><image|<\/p><title><a id=)/.test(html);
const title = hasChromium
  ? 'hostile HTML in Chromium'
  : 'hostile HTML in Chromium (skipped: no Chromium was found)';

describe.runIf(hasChromium)(title, () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(async () => {
    await harness?.close();
  });
  beforeEach(() => {
    harness.heard.length = 0;
    harness.stray.length = 0;
  });

  const ourMails = (): Mail[] =>
    [
      ...REQUEST_CHANNELS,
      ...SCRIPT_CHANNELS.map(channel => ({ ...channel, name: `script-${channel.name}` })),
    ].map(({ name, html }) => ({ name, html: fillChannel(html, name, harness.canary) }));

  async function show(
    path: '/open' | '/strict',
    mails: Mail[],
    kind: FrameKind,
    clean: boolean,
    waitMs: number,
  ) {
    const { page, ran, errors } = await harness.openPage(path);
    const bad: string[] = [];
    const size = clean ? BATCH.clean : BATCH.untouched;
    for (let index = 0; index < mails.length; index += size) {
      const batch = mails.slice(index, index + size);
      const found = await page.evaluate(
        ([some, frameKind, isClean, wait]) => window.showMails(some, frameKind, isClean, wait),
        [batch, kind, clean, waitMs] as const,
      );
      bad.push(...found);
    }
    const violations = await page.evaluate(() => window.violations);
    const url = page.url();
    await page.context().close();
    return { ran, errors: [...new Set(errors)], bad, violations: [...new Set(violations)], url };
  }

  test('the harness detects every channel in an ordinary frame without sanitizing', async () => {
    const { ran } = await show('/open', ourMails(), 'open', false, 1_500);
    const deaf = REQUEST_CHANNELS.filter(
      ({ name }) => !harness.heard.some(path => path.startsWith(`/${name}`)),
    )
      .filter(({ name, silent }) => !silent && name !== 'link-preconnect')
      .map(({ name }) => name);
    expect(deaf).toEqual([]);
    const mute = SCRIPT_CHANNELS.filter(({ name, silent }) => !silent && !ran.includes(`script-${name}`));
    expect(mute.map(({ name }) => name)).toEqual([]);
    expect(harness.heard).toContain('(connection)');
  });

  test('the sanitizer alone blocks every channel', async () => {
    const { ran, bad } = await show('/open', ourMails(), 'open', true, 1_000);
    expect({ ran, bad, heard: harness.heard, stray: harness.stray }).toEqual({
      ran: [],
      bad: [],
      heard: [],
      stray: [],
    });
  });

  // No policy covers a preconnect, which opens a connection without a request: there the sanitizer
  // is the only guard.
  test('the message frame alone blocks every channel except a preconnect', async () => {
    const { ran } = await show('/open', ourMails(), 'product', false, 1_000);
    const asked = harness.heard.filter(what => what !== '(connection)');
    expect({ ran, asked, stray: harness.stray }).toEqual({ ran: [], asked: [], stray: [] });
  });

  test('both together block every channel under the product’s policy, without a violation', async () => {
    const { ran, bad, errors, violations, url } = await show('/strict', ourMails(), 'product', true, 500);
    expect({ ran, bad, errors, violations, heard: harness.heard, stray: harness.stray }).toEqual({
      ran: [],
      bad: [],
      errors: [],
      violations: [],
      heard: [],
      stray: [],
    });
    expect(url).toBe(`${harness.origin}/strict`);
  });

  test('the policy accepts HTML only from the sanitizer', async () => {
    const { page } = await harness.openPage('/strict');
    expect(await page.evaluate(() => window.tryPolicy())).toBe(
      'refused: HTML did not come from the sanitizer',
    );
    await page.context().close();
  });

  describe.skipIf(!hasCorpora)(`corpora (${hasCorpora ? 'present' : NO_CORPORA})`, () => {
    const corpora = htmlCorpora();
    test.each(Object.keys(corpora))(
      '%s: nothing runs, nothing is requested, nothing forbidden remains',
      async name => {
        const mails = (corpora[name] ?? []).map(mail => ({
          ...mail,
          html: fillChannel(mail.html, 'corpus', harness.canary),
        }));
        expect(mails.length).toBeGreaterThan(20);
        const open = await show('/open', mails, 'open', true, 100);
        expect({ ran: open.ran, bad: open.bad, heard: harness.heard, stray: harness.stray }).toEqual({
          ran: [],
          bad: [],
          heard: [],
          stray: [],
        });
        // The 1700 fragments of html5lib are about parsing: under the policy they would only repeat
        // the test above.
        if (name === 'html5lib') return;
        const quiet = mails.filter(mail => !LOGGED(mail.html));
        const strict = await show('/strict', quiet, 'product', true, 30);
        expect({ ...strict, heard: harness.heard, stray: harness.stray }).toEqual({
          ran: [],
          bad: [],
          errors: [],
          violations: [],
          url: `${harness.origin}/strict`,
          heard: [],
          stray: [],
        });
      },
    );
  });
});
