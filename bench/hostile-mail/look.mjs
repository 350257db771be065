/** Opens one message in a running page, as a click on its row does, and inspects the result. */

const OPEN_MAX_MS = 15_000;
const STEP_MS = 10_000;

/**
 * Returns the milliseconds until the body of a message, or the sentence in its place, is painted;
 * null if that takes longer than 15 s. Changes the page's address as the router does, without a
 * reload.
 */
export const openMail = (page, id) =>
  page.evaluate(
    ({ wanted, longestMs }) =>
      new Promise(resolve => {
        const startedAt = performance.now();
        history.pushState(null, '', `/app/inbox/all/0?m=${encodeURIComponent(wanted)}`);
        dispatchEvent(new PopStateEvent('popstate', { state: null }));
        const isPainted = card => {
          if (card.querySelector('[role="status"][aria-label="Decrypting"]') !== null) return false;
          const frame = card.querySelector('iframe');
          const body = frame?.contentDocument?.body;
          return frame === null || (body?.childElementCount > 0 && body.style.visibility !== 'hidden');
        };
        const watch = () => {
          /** @type {HTMLElement | null} */
          const card = document.querySelector(`article [data-message="${CSS.escape(wanted)}"]`);
          // The message is collapsed or closed in its conversation.
          if (card === null)
            [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('article button'))]
              .find(one => /\d older messages?$/.test(one.textContent.trim()))
              ?.click();
          if (card?.localName === 'button') card.click();
          else if (card !== null && isPainted(card)) {
            // One task after the frame: it is painted by then.
            setTimeout(() => resolve(performance.now() - startedAt));
            return;
          }
          if (performance.now() - startedAt > longestMs) resolve(null);
          else requestAnimationFrame(watch);
        };
        requestAnimationFrame(watch);
      }),
    { wanted: id, longestMs: OPEN_MAX_MS },
  );

/**
 * Returns a description of everything wrong with an open message; empty when it runs nothing and
 * stays within its frame.
 */
export const findOutbreaks = (page, id) =>
  page.evaluate(wanted => {
    const found = [];
    const card = document.querySelector(`article section[data-message="${CSS.escape(wanted)}"]`);
    if (card?.textContent.includes('could not be processed')) found.push('was not decrypted');
    if (!/Keyfold$/.test(document.title)) found.push(`changed the title to ${document.title}`);
    if (location.pathname !== '/app/inbox/all/0') found.push(`navigated the page to ${location.pathname}`);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth !== clientWidth) found.push('widened the page');
    const frame = card?.querySelector('iframe') ?? null;
    const pane = document.querySelector('article')?.getBoundingClientRect();
    const box = frame?.getBoundingClientRect();
    if (box && pane && (box.left < pane.left - 1 || box.right > pane.right + 1))
      found.push('the frame overflows its area');
    const inner = [...(frame?.contentDocument?.body.querySelectorAll('*') ?? [])];
    for (const element of inner) {
      if (/^(?:script|iframe|object|embed|form|base|link|meta|svg|math)$/.test(element.localName))
        found.push(`${element.localName} in the frame`);
      if (element.getAttributeNames().some(name => /^on/i.test(name)))
        found.push('an event handler in the frame');
      const addresses = [element.getAttribute('src') ?? '', element.getAttribute('href') ?? ''];
      if (addresses.some(one => /^\s*(?:javascript|vbscript|data:text)/i.test(one)))
        found.push('a script URL');
    }
    return found;
  }, id);

/** Returns whether the source of an open message is viewable. */
export async function canSeeSource(page, id) {
  const card = page.locator(`article section[data-message="${id}"]`);
  await card.getByRole('button', { name: 'More actions for this message' }).click({ timeout: STEP_MS });
  await page.getByRole('menuitem', { name: 'View source' }).click({ timeout: STEP_MS });
  const dialog = page.getByRole('dialog');
  const text = await dialog.locator('pre').textContent({ timeout: STEP_MS });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached', timeout: STEP_MS });
  return (text ?? '').length > 0;
}
