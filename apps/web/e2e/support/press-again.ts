// What a person does whose press a killed node took and did not answer: the page says so, and they press again. What the client
// repeats by itself needs no pressing.
import { CallError, NO_ANSWER } from '@keyfold/contract/client';
import { BROKEN_OFF } from '@keyfold/testing/cluster/balancer';
import type { JSHandle, Page, Response } from 'playwright-core';
import { clusterKillsMs } from './cluster-mode.ts';

/** Pages whose story presses again itself. */
const byHand = new WeakSet<Page>();

/** Longest time from a press to the change that it asks for: the key of a password may be made in between. */
const pressedBeforeMs = 3_000;
/** Longest wait for the words, and for the button to be free again. */
const saidAfterMs = 5_000;

type Pressed = { readonly button: Element; readonly at: number };

const pressLostAgain = async (page: Page, response: Response): Promise<void> => {
  const askedAt = response.request().timing().startTime;
  const pressed: JSHandle<Element | null> = await page.evaluateHandle(
    ({ from, to }) => {
      const last = (globalThis as { lastPressed?: Pressed }).lastPressed;
      return last !== undefined && last.at >= from && last.at <= to ? last.button : null;
    },
    { from: askedAt - pressedBeforeMs, to: askedAt },
  );
  await page.getByText(NO_ANSWER).first().waitFor({ timeout: saidAfterMs });
  await pressed.asElement()?.click({ timeout: saidAfterMs });
};

/**
 * Has the button that asked for a change pressed once more when a killed node took that change, and the page says that no answer
 * came. Where nobody is killed, nothing is done.
 */
export const pressAgainWhenLost = async (page: Page): Promise<void> => {
  if (clusterKillsMs === null) return;
  await page.addInitScript(() => {
    const note = ({ target }: Event) => {
      const button = target instanceof Element ? target.closest('button') : null;
      if (button !== null) Object.assign(globalThis, { lastPressed: { button, at: Date.now() } });
    };
    addEventListener('click', note, true);
  });
  page.on('response', response => {
    if (response.headers()[BROKEN_OFF] === undefined || response.request().method() === 'GET') return;
    // A page that was left meanwhile, or that goes on by itself, is pressed nothing of.
    if (!byHand.has(page)) pressLostAgain(page, response).catch(() => undefined);
  });
};

/** Whether the page said that no answer came, before what was waited for did. */
const isLost = (page: Page, arrived: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    arrived.then(
      () => false,
      () => false,
    ),
    page
      .getByText(NO_ANSWER)
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      ),
  ]);

/** Presses, and once more when the page says that the server could not be reached; resolves with `arrived`. */
export const pressUntil = async (
  page: Page,
  press: () => Promise<void>,
  arrived: () => Promise<unknown>,
): Promise<void> => {
  byHand.add(page);
  try {
    await press();
    if (clusterKillsMs !== null && (await isLost(page, arrived()))) await press();
    await arrived();
  } finally {
    byHand.delete(page);
  }
};

/** Makes something of which there can be one, and again when a killed node gave no answer: that it is there by then is as good. */
export const makeOne = async (make: () => Promise<unknown>): Promise<void> => {
  try {
    await make();
  } catch (error) {
    if (clusterKillsMs === null || !(error instanceof CallError) || error.code !== 'no_answer') throw error;
    await make().catch(again => {
      if (!(again instanceof CallError) || again.status !== 409) throw again;
    });
  }
};
