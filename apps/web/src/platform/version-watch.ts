// Registers the service worker and looks out for newer versions of the program; not part of the first load.
import { scriptUrl } from '../lib/script-url.ts';

/** The program and the looks that this page itself came with. */
const ownFiles = (): string[] =>
  [
    ...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[rel="stylesheet"]'),
  ].map(one => new URL('src' in one ? one.src : one.href).pathname);

/** Whether the page is of the worker's own version already: pages come from the site, whichever worker runs them. */
const isOfThisPage = (worker: ServiceWorker): Promise<boolean> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data === true);
    };
    worker.postMessage({ has: ownFiles() }, [port2]);
  });

type Tell = (waiting: ServiceWorker) => void;

/** Tells of a worker that was installed while another one runs the page, and waits to be asked. */
export function watchUpdates(registration: ServiceWorkerRegistration, tell: Tell): void {
  const ask = async () => {
    const { waiting } = registration;
    if (waiting === null || navigator.serviceWorker.controller === null) return;
    if (!(await isOfThisPage(waiting))) tell(waiting);
  };
  const look = () => void ask().catch(() => undefined);
  look();
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', look),
  );
}

/** Registers the worker, and tells when a newer one waits. */
export async function register(tell: Tell): Promise<void> {
  // The policy's address is a string that only the policy can make.
  watchUpdates(await navigator.serviceWorker.register(scriptUrl('/service-worker.js')), tell);
}

/** Lets the waiting version take over, and loads the page again under it. */
export function applyUpdate(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  worker.postMessage('activate');
}
