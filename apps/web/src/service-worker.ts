// The service worker: keeps the program itself on the device, so that it opens without a network. It never sees, keeps or
// answers a call of the API; mail that is kept for reading offline lies sealed in a database of its own (docs/storage.md).
// A new version waits until the page asks for it, because a page that runs must find its own chunks. No file is handed to a page
// that service-worker-code.ts does not know.

import { CodeGuard } from './service-worker-code.ts';
import { frameAnswer, isInert, lifelessAnswer, pageAnswer } from './service-worker-pages.ts';
import { readPush, tellOfPush } from './service-worker-push.ts';

type LastingEvent = Event & {
  waitUntil(work: Promise<unknown>): void;
};
type FetchEvent = LastingEvent & {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
};
type WindowClient = {
  readonly url: string;
  postMessage(message: unknown): void;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
};
type NotificationEvent = LastingEvent & {
  readonly notification: { readonly data: unknown; close(): void };
};
type PushedEvent = LastingEvent & {
  readonly data: { text(): string } | null;
};
type WorkerScope = {
  readonly location: Location;
  addEventListener(type: 'install' | 'activate', handle: (event: LastingEvent) => void): void;
  addEventListener(type: 'fetch', handle: (event: FetchEvent) => void): void;
  addEventListener(type: 'notificationclick', handle: (event: NotificationEvent) => void): void;
  addEventListener(type: 'push', handle: (event: PushedEvent) => void): void;
  addEventListener(type: 'message', handle: (event: MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: EventTarget & { readonly installing: unknown; readonly waiting: unknown };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled?: boolean }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
};

const scope = globalThis as unknown as WorkerScope;

/** Put in by the build (build/service-worker.ts): a name for this build, its start page's SHA-256, and what it is made of. */
declare const SHELL: { readonly version: string; readonly page: string; readonly files: readonly string[] };

const prefix = 'shell-';
const cacheName = prefix + SHELL.version;
const startPage = '/index.html';
/** A page that does not come within this time is taken from the device, milliseconds. */
const PAGE_PATIENCE_MS = 4_000;
/** Pause before a file whose connection broke is asked for again, milliseconds. */
const FILE_RETRY_MS = 300;
const hashed = /^\/(?:bundle\.|assets\/).*\.[A-Za-z0-9_-]{7,}\.[a-z0-9]+$/;
const api = /^\/(?:auth|user|admin|csrf|otp|health|ready|metrics|docs|openapi\.json|\.well-known)(?:\/|$)/;

/** Tells every page that there is news of the program. */
async function tellPages(): Promise<void> {
  for (const page of await scope.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    page.postMessage({ code: 'news' });
}

/** Whether somebody asked for this version, and so knows of it. */
let isAskedFor = false;

const guard = new CodeGuard(SHELL.page, cacheName, () => void tellPages());

/** A file of the program, whole; asked for once more when the connection broke, for another machine may be there. */
async function fetchWhole(request: Request): Promise<{ answer: Response; bytes: ArrayBuffer }> {
  const ask = async (again: Request) => {
    const answer = await fetch(again);
    if (answer.status >= 502) throw new TypeError('No server');
    return { answer, bytes: await answer.clone().arrayBuffer() };
  };
  try {
    return await ask(request.clone());
  } catch {
    await new Promise(resolve => setTimeout(resolve, FILE_RETRY_MS));
    return ask(request);
  }
}

/** A file that another version has kept already never changes; the others are asked for past the browser's cache. */
async function keepFile(cache: Cache, file: string): Promise<void> {
  const kept = hashed.test(file) ? await caches.match(file) : undefined;
  const answer = kept ?? (await fetchWhole(new Request(file, { cache: 'no-cache' }))).answer;
  if (!answer.ok || !(await guard.isKnown(file, await answer.clone().arrayBuffer())))
    throw new Error('A file of the program is missing');
  await cache.put(file, answer);
}

async function install(): Promise<void> {
  await guard.begin();
  const cache = await caches.open(cacheName);
  await Promise.all(SHELL.files.map(file => keepFile(cache, file)));
}

async function activate(): Promise<void> {
  // A version that is being installed, or waits, has its files there already: what is old then goes with the next one.
  const { installing, waiting } = scope.registration;
  const old = (await caches.keys()).filter(name => name.startsWith(prefix) && name !== cacheName);
  if (installing === null && waiting === null) await Promise.all(old.map(name => caches.delete(name)));
  await guard.take(isAskedFor);
  await scope.clients.claim();
}

const fromCache = async (file: string): Promise<Response | undefined> =>
  (await caches.open(cacheName)).match(file);

/** The start page of this version, as it is kept. */
async function keptPage(): Promise<Response | undefined> {
  const kept = await fromCache(startPage);
  return kept === undefined ? undefined : pageAnswer(kept);
}

/** What a window may show of this answer: the start page as it was signed, a file as it was signed, or what runs nothing; else null. */
async function findShown(pathname: string, answer: Response): Promise<Response | null> {
  // Where a redirect leads cannot be seen from here; this server makes none. What a proxy says of a server that is away is no program.
  if (!answer.ok) return null;
  const bytes = await answer.clone().arrayBuffer();
  if (!/\.[A-Za-z0-9]+$/.test(pathname) || pathname === startPage)
    return (await guard.mayShow(bytes)) ? pageAnswer(answer) : null;
  return isInert(answer) || (await guard.isKnown(pathname, bytes)) ? lifelessAnswer(answer) : null;
}

async function answerPage(request: Request, pathname: string): Promise<Response> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PAGE_PATIENCE_MS);
  try {
    const shown = await findShown(pathname, await fetch(request, { signal: patience.signal }));
    return shown ?? (await keptPage()) ?? Response.error();
  } catch (error) {
    const kept = await keptPage();
    if (kept === undefined) throw error;
    return kept;
  } finally {
    clearTimeout(timer);
  }
}

/** What a window gets that goes to an address of this site. */
async function answerWindow(request: Request, pathname: string): Promise<Response> {
  // No form leads here. What came as one is asked for as a page.
  if (request.method !== 'GET') return Response.redirect(request.url, 303);
  return api.test(pathname) ? lifelessAnswer(await fetch(request)) : answerPage(request, pathname);
}

/** What the site answers when it is known; what it says of a file that it does not have; else nothing. */
async function fetchKnown(request: Request, file: string): Promise<Response> {
  const { answer, bytes } = await fetchWhole(request);
  if (answer.ok && !(await guard.isKnown(file, bytes))) return Response.error();
  return answer;
}

async function answerHashed(request: Request, file: string): Promise<Response> {
  const kept = await fromCache(file);
  if (kept !== undefined) return kept;
  const answer = await fetchKnown(request, file);
  if (answer.ok && answer.status === 200) await (await caches.open(cacheName)).put(file, answer.clone());
  return answer;
}

/** Files without a hash may change: the site is asked first. */
async function answerOther(request: Request, file: string): Promise<Response> {
  const answer = await fetchKnown(request, file).catch(() => Response.error());
  return answer.ok ? answer : ((await fromCache(file)) ?? answer);
}

async function answerFrame(request: Request, file: string): Promise<Response> {
  const answer = await answerOther(request, file);
  return answer.ok ? frameAnswer(answer) : answer;
}

/** A page that is open goes there, by its fragment; without one a new page opens. */
async function show(target: string): Promise<void> {
  const [page] = await scope.clients.matchAll({ type: 'window' });
  if (page === undefined) {
    await scope.clients.openWindow(`/${target}`);
    return;
  }
  await page.focus();
  await page.navigate(new URL(target, page.url).href);
}

scope.addEventListener('notificationclick', event => {
  const { notification } = event;
  notification.close();
  const target = (notification.data as { target?: unknown } | null)?.target;
  // A fragment and nothing else: data is ours, and stays on this site whatever it says.
  if (typeof target === 'string' && target.startsWith('#/')) event.waitUntil(show(target));
});
scope.addEventListener('push', event => {
  const push = readPush(event.data?.text());
  if (push !== null)
    event.waitUntil(tellOfPush(globalThis as unknown as Parameters<typeof tellOfPush>[0], push));
});
scope.addEventListener('install', event => event.waitUntil(install()));
scope.registration.addEventListener('updatefound', () => void guard.isWorkerKnown());
scope.addEventListener('activate', event => event.waitUntil(activate()));
scope.addEventListener('message', ({ data, ports }) => {
  if (data === 'activate') {
    isAskedFor = true;
    void scope.skipWaiting();
  }
  if (data === 'code-told') void guard.setTold();
  else if (typeof data?.trust === 'string') void guard.trust(data.trust);
  // A page asks whether the worker that waits is one that may take over.
  else if (data === 'check-worker')
    void guard.isWorkerKnown().then(isKnown => ports[0]?.postMessage(isKnown));
  // A page asks whether these files, its own, are of this version.
  else if (Array.isArray(data?.has))
    ports[0]?.postMessage(data.has.every((file: string) => SHELL.files.includes(file)));
});
scope.addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== scope.location.origin) return;
  // The frame of a mail is a file like others; every other window or frame is a page.
  const isFrame = /^\/message-frame[a-z-]*\.html$/.test(pathname) && SHELL.files.includes(pathname);
  if (request.mode === 'navigate' && !isFrame) {
    event.respondWith(answerWindow(request, pathname));
  } else if (request.method !== 'GET' || api.test(pathname)) {
    return;
  } else if (isFrame) {
    event.respondWith(answerFrame(request, pathname));
  } else if (hashed.test(pathname)) {
    event.respondWith(answerHashed(request, pathname));
  } else if (SHELL.files.includes(pathname)) {
    event.respondWith(answerOther(request, pathname));
  }
});
