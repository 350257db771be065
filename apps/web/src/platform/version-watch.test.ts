// When the page is told that a newer version waits: the worker is a stand-in that answers as service-worker.ts does.
import { afterEach, expect, test, vi } from 'vitest';
import { watchUpdates } from './version-watch.ts';

const site = 'https://mail.test';
const files = ['/bundle.index.22222222.js', '/assets/index.11111111.css', '/index.html'];

/** A worker that answers; `heard` resolves when its answer has been heard. */
function standIn(answer: (question: unknown) => boolean) {
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const postMessage = (question: unknown, [port]: [MessagePort]) => {
    port.addEventListener('close', () => resolve());
    port.start();
    port.postMessage(answer(question));
  };
  return { heard, postMessage };
}

/** Looks at a waiting version of these files; the worker of the page says whether it was signed. Resolves with how often it was told of. */
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
  // The page's own worker is asked only about a version that is another one.
  await Promise.race([controller.heard, new Promise(resolve => setTimeout(resolve, 200))]);
  return told;
}

function pageOf(script: string): void {
  vi.stubGlobal('document', {
    querySelectorAll: () => [{ src: `${site}${script}` }, { href: `${site}/assets/index.11111111.css` }],
  });
}

afterEach(() => void vi.unstubAllGlobals());

test('a page that came with the waiting version already is not told of it, one of an older version is', async () => {
  pageOf('/bundle.index.22222222.js');
  expect(await lookAtWaiting()).toBe(0);
  pageOf('/bundle.index.00000000.js');
  expect(await lookAtWaiting()).toBe(1);
});

test('a version that the key of this server has not signed is not offered', async () => {
  pageOf('/bundle.index.00000000.js');
  expect(await lookAtWaiting(false)).toBe(0);
});
