// A list in a hand: a small page with touch, whose rows a finger sweeps aside; notes what it asked of the server and how
// often the phone was to buzz.
import type { Browser, Request } from 'playwright-core';
import { expect } from 'vitest';
import { openPerson, type Person } from './browser.ts';

/** Another page of somebody who is signed in, on a phone that speaks this language; `enter` opens the list. */
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
    /** Sweeps a row; resolves when the finger is up. */
    sweep: async (subject: string, px: number) => {
      const box = await row(subject).boundingBox();
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
        touch.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: 195 + (px * step) / 8, y: (box?.y ?? 0) + 40 }],
        });
      // At once, so that a busy machine makes no long press of it.
      await Promise.all([send('touchStart', 0), send('touchMove', 1)]);
      for (let step = 2; step <= 8; step += 1) await send('touchMove', step);
      await send('touchEnd', 8);
    },
    /** Where a row stands beside its place; nothing is "". */
    offset: (subject: string) =>
      row(subject)
        .locator('[data-row]')
        .evaluate(one => (one as HTMLElement).style.transform),
  };
}
