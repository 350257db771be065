// When the page is notified that a newer version is waiting. The worker is a stub that answers like
// service-worker.ts.
import { afterEach, expect, test, vi } from 'vitest';
import { watchUpdates } from './version-watch.ts';

const site = 'https://mail.test';
const files = ['/bundle.index.22222222.js', '/assets/index.11111111.css', '/index.html'];

/** A worker stub; `heard` resolves once its answer has been received. */
function standIn(answer: (question: unknown) => boolean) {
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const postMessage = (question: unknown, [port]: [MessagePort]) => {
    port.addEventListener('close', () => resolve());
    port.start();
    port.postMessage(answer(question));
  };
  return { heard, postMessage };
}

/**
 * Checks a waiting version with these files; the active worker reports whether it was signed.
 * Resolves with the number of notifications.
 */
async function lookAtWaiting(isSigned = true): Promise<number> {
  let told = 0;
  const waiting = standIn(question =>
    (question as { has: string[] }).has.every(file => files.includes(file)),
  );
  const controller = standIn(question => question === 'check-worker' && isSigned);
  vi.stubGlobal('navigator', { serviceWorker: { controller } });
  const registration = Object.assign(new EventTarget(), { waiting, installing: null });
  watchUpdates(registration as unknown as ServiceWorkerRegistration, () => {
    told += 1;
  });
  await waiting.heard;
  // The active worker is asked only about a version that differs.
  await Promise.race([controller.heard, new Promise(resolve => setTimeout(resolve, 200))]);
  return told;
}

function pageOf(script: string): void {
  vi.stubGlobal('document', {
    querySelectorAll: () => [{ src: `${site}${script}` }, { href: `${site}/assets/index.11111111.css` }],
  });
}

afterEach(() => void vi.unstubAllGlobals());

test('a page that already has the waiting version is not notified, and an older one is', async () => {
  pageOf('/bundle.index.22222222.js');
  expect(await lookAtWaiting()).toBe(0);
  pageOf('/bundle.index.00000000.js');
  expect(await lookAtWaiting()).toBe(1);
});

test('a version not signed with this server’s key is not offered', async () => {
  pageOf('/bundle.index.00000000.js');
  expect(await lookAtWaiting(false)).toBe(0);
});
