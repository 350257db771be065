// What a person does whose press a killed node took and did not answer: the page says so, and they press again. What the client
// repeats by itself needs no pressing.
import { CallError, NO_ANSWER } from '@keyfold/contract/client';
import { BROKEN_OFF } from '@keyfold/testing/cluster/balancer';
import type { BrowserContext, JSHandle, Page, Response } from 'playwright-core';
import { clusterKillsMs } from './cluster-mode.ts';

/** Pages whose story presses again itself. */
const byHand = new WeakSet<Page>();

/** Longest time from a press to the change that it asks for: the key of a password may be made in between. */
const PRESSED_BEFORE_MS = 3_000;
/** Longest wait for the words, and for the button to be free again. */
const SAID_AFTER_MS = 5_000;

/** A button, or the field of a code, which goes out with its last digit. */
type Pressed = {
  readonly on: Element;
  readonly code: string | null;
  readonly at: number;
  /** How often the words stood on the page then. */
  readonly said: number;
  isAgain?: boolean;
};

async function pressOn(pressed: JSHandle<Pressed | null>): Promise<void> {
  const on = (await pressed.getProperty('on')).asElement();
  const code = await pressed.evaluate(one => one?.code ?? null);
  if (code === null) return on?.click({ timeout: SAID_AFTER_MS });
  await on?.fill('', { timeout: SAID_AFTER_MS });
  await on?.fill(code);
}

async function pressLostAgain(page: Page, response: Response): Promise<void> {
  const askedAt = response.request().timing().startTime;
  const pressed: JSHandle<Pressed | null> = await page.evaluateHandle(
    ({ from, to }) => {
      const last = (globalThis as { lastPressed?: Pressed }).lastPressed;
      if (last === undefined || last.isAgain || last.at < from || last.at > to) return null;
      last.isAgain = true;
      return last;
    },
    { from: askedAt - PRESSED_BEFORE_MS, to: askedAt },
  );
  const said = await pressed.evaluate(one => one?.said ?? null);
  if (said === null) return;
  await page.getByText(NO_ANSWER).nth(said).waitFor({ timeout: SAID_AFTER_MS });
  await pressOn(pressed);
}

/**
 * In all pages of a browser profile, has the button that asked for a change pressed once more when a killed node took that change, and
 * the page says that no answer came. Where nobody is killed, nothing is done.
 */
export async function retryLostClicks(context: BrowserContext): Promise<void> {
  if (clusterKillsMs === null) return;
  await context.addInitScript(words => {
    // The frame of a mail runs nothing, and says so of a listener too.
    if (self !== top) return;
    const countSaid = (): number => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      let said = 0;
      while (texts.nextNode() !== null) if (texts.currentNode.nodeValue?.includes(words)) said++;
      return said;
    };
    const note = (on: Element | null, code: string | null) => {
      if (on === null) return;
      Object.assign(globalThis, { lastPressed: { on, code, at: Date.now(), said: countSaid() } });
    };
    const noteClick = ({ target }: Event) =>
      target instanceof Element && note(target.closest('button'), null);
    const noteInput = ({ target: field }: Event) =>
      field instanceof HTMLInputElement && field.autocomplete === 'one-time-code' && note(field, field.value);
    addEventListener('click', noteClick, true);
    addEventListener('input', noteInput, true);
  }, NO_ANSWER);
  context.on('page', page =>
    page.on('response', response => {
      if (response.headers()[BROKEN_OFF] === undefined || response.request().method() === 'GET') return;
      // A page that was left meanwhile, or that goes on by itself, is pressed nothing of.
      if (!byHand.has(page)) pressLostAgain(page, response).catch(() => undefined);
    }),
  );
}

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
export async function pressUntil(
  page: Page,
  press: () => Promise<void>,
  arrived: () => Promise<unknown>,
): Promise<void> {
  byHand.add(page);
  try {
    await press();
    if (clusterKillsMs !== null && (await isLost(page, arrived()))) await press();
    await arrived();
  } finally {
    byHand.delete(page);
  }
}

/** Makes something of which there can be one, and again when a killed node gave no answer: that it is there by then is as good. */
export async function makeOne(make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (clusterKillsMs === null || !(error instanceof CallError) || error.code !== 'no_answer') throw error;
    await make().catch(again => {
      if (!(again instanceof CallError) || again.status !== 409) throw again;
    });
  }
}
