// A list on a phone: a small page with touch input whose rows can be swiped. Records the page's
// requests to the server and how often the phone was asked to vibrate.
import type { Browser, Request } from 'playwright-core';
import { expect } from 'vitest';
import { openPerson, type Person } from './browser.ts';

/**
 * Opens another page of a signed-in user, on a phone with this language; `enter` opens the list.
 */
export async function openPhone(browser: Browser, list: string, person: Person, language: string) {
  const phone = await openPerson(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: await person.context.storageState(),
  });
  const small = phone.page;
  await small.addInitScript(tag => {
    localStorage.setItem('language', tag);
    Object.assign(globalThis, { buzzes: 0 });
    Object.assign(navigator, {
      vibrate: () => {
        (globalThis as unknown as { buzzes: number }).buzzes += 1;
        return true;
      },
    });
  }, language);
  const asked: string[] = [];
  small.on('request', (request: Request) => {
    if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
  });
  const touch = await phone.context.newCDPSession(small);
  const row = (subject: string) => small.locator('#list li[data-index]').filter({ hasText: subject });
  return {
    ...phone,
    row,
    times: (path: string) => asked.filter(one => one === path).length,
    buzzes: () => small.evaluate(() => (globalThis as unknown as { buzzes: number }).buzzes),
    enter: async () => {
      await small.goto(list);
      await small.locator('#list li[data-index]').first().waitFor();
      await expect
        .poll(() =>
          small.evaluate(() =>
            performance.getEntriesByType('resource').some(({ name }) => name.includes('gestures')),
          ),
        )
        .toBe(true);
    },
    /** Swipes a row; resolves when the finger is lifted. */
    sweep: async (subject: string, px: number) => {
      const box = await row(subject).boundingBox();
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
        touch.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: 195 + (px * step) / 8, y: (box?.y ?? 0) + 40 }],
        });
      // Sent together, so that a busy machine does not turn it into a long press.
      await Promise.all([send('touchStart', 0), send('touchMove', 1)]);
      for (let step = 2; step <= 8; step += 1) await send('touchMove', step);
      await send('touchEnd', 8);
    },
    /** Returns the offset of a row from its place; "" for none. */
    offset: (subject: string) =>
      row(subject)
        .locator('[data-row]')
        .evaluate(one => (one as HTMLElement).style.transform),
  };
}
