// When the page is told that a newer version waits: the worker is a stand-in that answers as service-worker.ts does.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchUpdates } from './version-watch.ts';

const site = 'https://mail.test';
const files = ['/bundle.index.22222222.js', '/assets/index.11111111.css', '/index.html'];

/** Looks at a waiting version of these files; resolves when its answer has been heard, with how often it was told of. */
async function lookAtWaiting(): Promise<number> {
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  let told = 0;
  const waiting = {
    postMessage: ({ has }: { has: string[] }, [port]: [MessagePort]) => {
      port.addEventListener('close', () => resolve());
      port.start();
      port.postMessage(has.every(file => files.includes(file)));
    },
  };
  const registration = Object.assign(new EventTarget(), { waiting, installing: null });
  watchUpdates(registration as unknown as ServiceWorkerRegistration, () => {
    told += 1;
  });
  await heard;
  return told;
}

const pageOf = (script: string): void => {
  vi.stubGlobal('document', {
    querySelectorAll: () => [{ src: `${site}${script}` }, { href: `${site}/assets/index.11111111.css` }],
  });
};

beforeEach(() => void vi.stubGlobal('navigator', { serviceWorker: { controller: {} } }));
afterEach(() => void vi.unstubAllGlobals());

test('a page that came with the waiting version already is not told of it, one of an older version is', async () => {
  pageOf('/bundle.index.22222222.js');
  expect(await lookAtWaiting()).toBe(0);
  pageOf('/bundle.index.00000000.js');
  expect(await lookAtWaiting()).toBe(1);
});
