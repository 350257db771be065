/**
 * Opens one mail in a running page, as a click on its row does, and looks at what stands there.
 */

const OPEN_MAX_MS = 15_000;
const STEP_MS = 10_000;

/**
 * Milliseconds until the body of a mail is painted, or the sentence in its place; null when it is not within 15 s. The address
 * of the page changes as by the router, without a reload.
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
          // Folded or closed in its conversation.
          if (card === null)
            [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('article button'))]
              .find(one => /\d older messages?$/.test(one.textContent.trim()))
              ?.click();
          if (card?.localName === 'button') card.click();
          else if (card !== null && isPainted(card)) {
            // A task after the frame: it is painted.
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

/** What is wrong with an open mail, in words; empty when it runs nothing and keeps to its frame. */
export const findOutbreaks = (page, id) =>
  page.evaluate(wanted => {
    const found = [];
    const card = document.querySelector(`article section[data-message="${CSS.escape(wanted)}"]`);
    if (card?.textContent.includes('could not be processed')) found.push('it was not opened');
    if (!/Keyfold$/.test(document.title)) found.push(`the title became ${document.title}`);
    if (location.pathname !== '/app/inbox/all/0') found.push(`the page went to ${location.pathname}`);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth !== clientWidth) found.push('the page became wider');
    const frame = card?.querySelector('iframe') ?? null;
    const pane = document.querySelector('article')?.getBoundingClientRect();
    const box = frame?.getBoundingClientRect();
    if (box && pane && (box.left < pane.left - 1 || box.right > pane.right + 1))
      found.push('the frame leaves its place');
    const inner = [...(frame?.contentDocument?.body.querySelectorAll('*') ?? [])];
    for (const element of inner) {
      if (/^(?:script|iframe|object|embed|form|base|link|meta|svg|math)$/.test(element.localName))
        found.push(`${element.localName} in the frame`);
      if (element.getAttributeNames().some(name => /^on/i.test(name))) found.push('a handler in the frame');
      const addresses = [element.getAttribute('src') ?? '', element.getAttribute('href') ?? ''];
      if (addresses.some(one => /^\s*(?:javascript|vbscript|data:text)/i.test(one)))
        found.push('an address that runs');
    }
    return found;
  }, id);

/** Whether the source of an open mail can be seen. */
export async function canSeeSource(page, id) {
  const card = page.locator(`article section[data-message="${id}"]`);
  await card.getByRole('button', { name: 'More for this message' }).click({ timeout: STEP_MS });
  await page.getByRole('menuitem', { name: 'View source' }).click({ timeout: STEP_MS });
  const dialog = page.getByRole('dialog');
  const text = await dialog.locator('pre').textContent({ timeout: STEP_MS });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached', timeout: STEP_MS });
  return (text ?? '').length > 0;
}
