// Registers the service worker and watches for newer versions of the app; not part of the first
// load.
import type { ProgramNews } from '../lib/code-state.ts';
import { scriptUrl } from '../lib/script-url.ts';
import { keepLanguageOffline } from './offline-language.ts';
import { readProgram } from './program.ts';

/** Scripts and style sheets that this page itself loaded. */
const ownFiles = (): string[] =>
  [
    ...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[rel="stylesheet"]'),
  ].map(one => new URL('src' in one ? one.src : one.href).pathname);

/** Sends a worker a yes-or-no question. */
const ask = (worker: ServiceWorker, question: unknown): Promise<boolean> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data === true);
    };
    worker.postMessage(question, [port2]);
  });

type Tell = (news: ProgramNews | null) => void;

/** The news reported last. */
let shown: ProgramNews | null = null;

/**
 * Reports a worker that was installed while another one controls the page and that waits for
 * activation. The controlling worker is asked whether the new one was signed, and raises the alarm
 * itself if it was not. A page that already belongs to the waiting version gets no report, because
 * pages come from the site, whichever worker controls them.
 */
export function watchUpdates(registration: ServiceWorkerRegistration, tell: Tell): void {
  const look = async () => {
    const { waiting } = registration;
    const { controller } = navigator.serviceWorker;
    if (waiting === null || controller === null) return;
    if (!(await ask(waiting, { has: ownFiles() })) && (await ask(controller, 'check-worker'))) tell(waiting);
  };
  const start = () => void look().catch(() => undefined);
  start();
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', start),
  );
}

/**
 * Reports what the worker has found out about the app: that it changed, or that changed code was
 * refused.
 */
async function tellOfProgram(tell: Tell): Promise<void> {
  const program = await readProgram();
  if (program === null) return;
  const news = program.alarm !== null ? 'refused' : program.is_told ? null : 'changed';
  // A waiting version is reported until something is refused; other news is withdrawn once it no
  // longer applies.
  if (news === shown || (news !== 'refused' && shown instanceof EventTarget)) return;
  // Components that show news only check whether there is any; clearing it first makes them render
  // a replacement.
  tell(null);
  if (news !== null) tell(news);
}

/** Registers the worker, and reports a waiting version or other news about the app. */
export async function register(listener: Tell): Promise<void> {
  const tell: Tell = news => {
    shown = news;
    listener(news);
  };
  const look = () => void tellOfProgram(tell).catch(() => undefined);
  navigator.serviceWorker.addEventListener('message', ({ data }) => data?.code === 'news' && look());
  look();
  // Before the registration, so that the first installation knows the language.
  await keepLanguageOffline();
  // The Trusted Types policy requires an address that only the policy can create.
  watchUpdates(await navigator.serviceWorker.register(scriptUrl('/service-worker.js')), tell);
}

/** Activates the waiting version and reloads the page under it. */
export function applyUpdate(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  worker.postMessage('activate');
}
