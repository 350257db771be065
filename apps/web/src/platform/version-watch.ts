// Registers the service worker and looks out for newer versions of the program; not part of the first load.
import type { ProgramNews } from '../lib/code-state.ts';
import { scriptUrl } from '../lib/script-url.ts';
import { readProgram } from './program.ts';

/** The program and the looks that this page itself came with. */
const ownFiles = (): string[] =>
  [
    ...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[rel="stylesheet"]'),
  ].map(one => new URL('src' in one ? one.src : one.href).pathname);

/** Asks a worker something that it answers with yes or no. */
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

/** What was told last. */
let shown: ProgramNews | null = null;

/**
 * Tells of a worker that was installed while another one runs the page, and waits to be asked. The one that runs the page is
 * asked whether it was signed: it tells by itself when it was not. A page that is of the worker's own version already is
 * told nothing: pages come from the site, whichever worker runs them.
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

/** Tells what the worker has found out about the program: that it was changed, or that changed code was refused. */
async function tellOfProgram(tell: Tell): Promise<void> {
  const program = await readProgram();
  if (program === null) return;
  const news = program.alarm !== null ? 'refused' : program.is_told ? null : 'changed';
  // A version that waits is told of until something is refused; other news goes when it is over.
  if (news === shown || (news !== 'refused' && shown instanceof EventTarget)) return;
  // Who shows news looks at whether there is any: one that takes another's place is drawn anew.
  tell(null);
  if (news !== null) tell(news);
}

/** Registers the worker, and tells when a newer one waits, or there is other news of the program. */
export async function register(listener: Tell): Promise<void> {
  const tell: Tell = news => {
    shown = news;
    listener(news);
  };
  const look = () => void tellOfProgram(tell).catch(() => undefined);
  navigator.serviceWorker.addEventListener('message', ({ data }) => data?.code === 'news' && look());
  look();
  // The policy's address is a string that only the policy can make.
  watchUpdates(await navigator.serviceWorker.register(scriptUrl('/service-worker.js')), tell);
}

/** Lets the waiting version take over, and loads the page again under it. */
export function applyUpdate(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  worker.postMessage('activate');
}
