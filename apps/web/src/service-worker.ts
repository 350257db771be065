// The service worker: stores the app on the device, so that it opens without a network. It never
// sees, stores or answers an API call; messages cached for offline reading are encrypted in a
// separate database (docs/storage.md). A new version waits until the page asks for it, because a
// running page must find its own chunks. No file reaches a page unless service-worker-code.ts has
// verified it.

import { CodeGuard } from './service-worker-code.ts';
import { keepCatalog } from './service-worker-language.ts';
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
  addEventListener(type: 'message', handle: (event: LastingEvent & MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: EventTarget & { readonly installing: unknown; readonly waiting: unknown };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled?: boolean }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
};

const scope = globalThis as unknown as WorkerScope;

/**
 * Injected by the build (build/service-worker.ts): a name for this build, the SHA-256 of its start
 * page, its files, and the files with the texts of each language, which are not among the others.
 */
declare const SHELL: {
  readonly version: string;
  readonly page: string;
  readonly files: readonly string[];
  readonly catalogs: Readonly<Record<string, string>>;
};

const prefix = 'shell-';
const cacheName = prefix + SHELL.version;
const startPage = '/index.html';
/** Time after which the cached page is used instead of the network's, in milliseconds. */
const PAGE_PATIENCE_MS = 4_000;
/** Pause before a file whose connection broke is requested again, in milliseconds. */
const FILE_RETRY_MS = 300;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const hashed = /^\/(?:bundle\.|assets\/).*\.[A-Za-z0-9_-]{7,}\.[a-z0-9]+$/;
const api = /^\/(?:auth|user|admin|csrf|otp|health|ready|metrics|docs|openapi\.json|\.well-known)(?:\/|$)/;

/** Notifies every page that there is news about the app. */
async function tellPages(): Promise<void> {
  for (const page of await scope.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    page.postMessage({ code: 'news' });
}

/** Whether the user requested this version, and so knows of it. */
let isAskedFor = false;

const guard = new CodeGuard(SHELL.page, cacheName, () => void tellPages());

/**
 * Fetches a file of the app completely. Retries once when the connection broke, because another
 * server may take over.
 */
async function fetchWhole(request: Request): Promise<{ answer: Response; bytes: ArrayBuffer }> {
  const ask = async (again: Request) => {
    const answer = await fetch(again);
    if (answer.status >= 502) throw new TypeError('No server');
    return { answer, bytes: await answer.clone().arrayBuffer() };
  };
  try {
    return await ask(request.clone());
  } catch {
    await pause(FILE_RETRY_MS);
    return ask(request);
  }
}

/**
 * Caches a file. Hashed files that another version has cached never change and are reused; all
 * others bypass the browser's cache.
 */
async function keepFile(cache: Cache, file: string): Promise<void> {
  const kept = hashed.test(file) ? await caches.match(file) : undefined;
  const answer = kept ?? (await fetchWhole(new Request(file, { cache: 'no-cache' }))).answer;
  if (!answer.ok || !(await guard.isKnown(file, await answer.clone().arrayBuffer())))
    throw new Error('A file of the program is missing');
  await cache.put(file, answer);
}

/** Caches the texts of the language in use. */
const keepTexts = async (): Promise<void> =>
  keepCatalog(await caches.open(cacheName), SHELL.catalogs, keepFile);

async function install(): Promise<void> {
  await guard.begin();
  const cache = await caches.open(cacheName);
  await Promise.all([...SHELL.files.map(file => keepFile(cache, file)), keepTexts()]);
}

/** Resolves when this version is installed. */
let installed: Promise<void> = Promise.resolve();

async function activate(): Promise<void> {
  // The language may have changed since the installation. Old caches may have its texts.
  // Requests of pages wait for the activation, so it does not wait for a stalled connection.
  await Promise.race([keepTexts().catch(() => undefined), pause(PAGE_PATIENCE_MS)]);
  // A version that is being installed or waiting has its files cached already. Old caches are then
  // removed on the next activation.
  const { installing, waiting } = scope.registration;
  const old = (await caches.keys()).filter(name => name.startsWith(prefix) && name !== cacheName);
  if (installing === null && waiting === null) await Promise.all(old.map(name => caches.delete(name)));
  await guard.take(isAskedFor);
  await scope.clients.claim();
}

const fromCache = async (file: string): Promise<Response | undefined> =>
  (await caches.open(cacheName)).match(file);

/** Returns the cached start page of this version. */
async function keptPage(): Promise<Response | undefined> {
  const kept = await fromCache(startPage);
  return kept === undefined ? undefined : pageAnswer(kept);
}

/**
 * Returns what a navigation may show of a response: the verified start page, a verified file, or
 * content that cannot run code; otherwise null.
 */
async function findShown(pathname: string, answer: Response): Promise<Response | null> {
  // The target of a redirect is not visible here, and this server sends none. A proxy's error page
  // for an unavailable server is not part of the app.
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

/** Answers a navigation within this site. */
async function answerWindow(request: Request, pathname: string): Promise<Response> {
  // No form posts to these paths. A form submission is redirected to a GET.
  if (request.method !== 'GET') return Response.redirect(request.url, 303);
  return api.test(pathname) ? lifelessAnswer(await fetch(request)) : answerPage(request, pathname);
}

/**
 * Returns the site's response if it is verified, or its error for a missing file; otherwise a
 * network error.
 */
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

/** Files without a hash may change, so the network comes first. */
async function answerOther(request: Request, file: string): Promise<Response> {
  const answer = await fetchKnown(request, file).catch(() => Response.error());
  return answer.ok ? answer : ((await fromCache(file)) ?? answer);
}

async function answerFrame(request: Request, file: string): Promise<Response> {
  const answer = await answerOther(request, file);
  return answer.ok ? frameAnswer(answer) : answer;
}

/** Navigates an open page by its fragment; without one, opens a new page. */
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
  // Only a fragment is accepted, so that the target stays on this site whatever the data says.
  if (typeof target === 'string' && target.startsWith('#/')) event.waitUntil(show(target));
});
scope.addEventListener('push', event => {
  const push = readPush(event.data?.text());
  if (push !== null)
    event.waitUntil(tellOfPush(globalThis as unknown as Parameters<typeof tellOfPush>[0], push));
});
scope.addEventListener('install', event => {
  installed = install();
  event.waitUntil(installed);
});
scope.registration.addEventListener('updatefound', () => void guard.isWorkerKnown());
scope.addEventListener('activate', event => event.waitUntil(activate()));
scope.addEventListener('message', event => {
  const { data, ports } = event;
  // A page has stored its language.
  if (data === 'language') event.waitUntil(installed.then(keepTexts).catch(() => undefined));
  if (data === 'activate') {
    isAskedFor = true;
    void scope.skipWaiting();
  }
  if (data === 'code-told') void guard.setTold();
  else if (typeof data?.trust === 'string') void guard.trust(data.trust);
  // A page asks whether the waiting worker may take over.
  else if (data === 'check-worker')
    void guard.isWorkerKnown().then(isKnown => ports[0]?.postMessage(isKnown));
  // A page asks whether its own files belong to this version.
  else if (Array.isArray(data?.has))
    ports[0]?.postMessage(data.has.every((file: string) => SHELL.files.includes(file)));
});
scope.addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== scope.location.origin) return;
  // The frame of a message is an ordinary file; every other window or frame is a page.
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
