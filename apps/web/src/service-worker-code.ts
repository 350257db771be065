// Decides which of the app's files the service worker trusts (ADR 44). On the first visit it pins
// the key that signs the server's file list. From then on a file is accepted if its SHA-256 is in
// the worker's own list, or in a newer list signed by the pinned key. Its findings are stored in a
// cache that pages read (platform/program.ts). Runs only in the service worker.

import type { AlarmReason, CodeState } from './lib/code-state.ts';

const codeCache = 'code-pin';
const codeStateFile = '/code-state';
const nextFile = '/code-next';
const signedPath = '/.well-known/keyfold/client.json';
/**
 * Path at which any server of a service serves the list that names a start page or a worker with
 * this SHA-256, from any build.
 */
const listPathOf = (hash: string) => `/.well-known/keyfold/client.${hash}.json`;
/** Prefix of the data that the server signs (apps/server/src/http/client-signature.ts). */
const context = 'keyfold web client\n';
/** Number of app changes remembered. */
const VERSIONS_MAX = 10;
/**
 * The servers of one service may serve two versions for a while. Page and list then match only by
 * chance, or when fetched by hash.
 */
const LOOKS_MAX = 3;
/** Timeout for fetching a list, in milliseconds. */
const LIST_PATIENCE_MS = 4_000;
const listLine = /^([0-9a-f]{64}) {2}(\S+)$/gm;
const startPage = '/index.html';
const workerFile = '/service-worker.js';

/** A file list whose signature was verified. */
type SignedList = {
  readonly text: string;
  readonly title: string;
  /** Public key of the signer, raw, base64; empty if the browser cannot verify. */
  readonly key: string;
  /** Maps a path with its leading `/` to a SHA-256 in hexadecimal. */
  readonly files: ReadonlyMap<string, string>;
};

/** Error for code that must not run. */
class Refusal extends Error {
  readonly reason: AlarmReason;
  readonly key: string;
  constructor(reason: AlarmReason, key = '') {
    super('The program is not what its key signed');
    this.reason = reason;
    this.key = key;
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), one => one.charCodeAt(0));

async function hashOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, one => one.toString(16).padStart(2, '0')).join('');
}

const readFiles = (text: string): Map<string, string> =>
  new Map([...text.matchAll(listLine)].map(([, hash = '', name = '']) => [`/${name}`, hash]));

const listOf = (text: string, key: string): SignedList => ({
  text,
  key,
  title: text.split('\n', 1)[0]?.slice(2) ?? '',
  files: readFiles(text),
});

/** Imports the verification key; null if the browser does not support Ed25519. */
async function importKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return null;
    throw new Refusal('altered');
  }
}

type Told = {
  readonly list: string;
  readonly key: string;
  readonly signature: string;
};

/**
 * Fetches the list at `path`; null if the server has none. @throws Refusal for an invalid list,
 * another error when the server is unavailable.
 */
async function askList(path: string): Promise<Told | null> {
  const signal = AbortSignal.timeout(LIST_PATIENCE_MS);
  const answer = await fetch(path, { cache: 'no-store', signal });
  if (answer.status >= 500 || answer.status === 429) throw new Error('The server is away');
  if (answer.status === 404) return null;
  const text = await answer.text();
  try {
    const { list, key, signature } = JSON.parse(text);
    return { list: String(list), key: String(key), signature: String(signature) };
  } catch {
    throw new Refusal('altered');
  }
}

/**
 * Fetches the server's list at `path`, signed by `pinned` (base64), or by any key if that is empty;
 * null if there is none.
 * @throws Refusal when the signature is missing or from another key, another error when the server
 *   is unavailable.
 */
async function findSigned(pinned: string, path: string): Promise<SignedList | null> {
  const told = await askList(path);
  if (told === null) return null;
  let isSigned: boolean;
  try {
    const key = await importKey(bytesOf(told.key));
    if (key === null) return listOf(told.list, '');
    const signed = new TextEncoder().encode(context + told.list);
    isSigned = await crypto.subtle.verify('Ed25519', key, bytesOf(told.signature), signed);
  } catch {
    throw new Refusal('altered');
  }
  if (!isSigned) throw new Refusal('altered');
  if (pinned !== '' && told.key !== pinned) throw new Refusal('other-key', told.key);
  return listOf(told.list, told.key);
}

/**
 * Fetches the list of the server that answers. @throws as `findSigned`, and Refusal without a list.
 */
async function fetchList(pinned: string): Promise<SignedList> {
  const list = await findSigned(pinned, signedPath);
  if (list === null) throw new Refusal('altered');
  return list;
}

/**
 * Fetches the list that names a start page or a worker with this SHA-256, from any server; null if
 * there is none. @throws as `findSigned`.
 */
async function findListOf(pinned: string, file: string, hash: string): Promise<SignedList | null> {
  const list = await findSigned(pinned, listPathOf(hash));
  return list?.files.get(file) === hash ? list : null;
}

const open = () => caches.open(codeCache);

/** Returns the stored state; null before the first visit. */
export async function readCodeState(): Promise<CodeState | null> {
  return (await (await open()).match(codeStateFile))?.json() ?? null;
}

async function keepState(state: CodeState): Promise<void> {
  await (await open()).put(codeStateFile, Response.json(state));
}

/**
 * What the worker of one version trusts. `page` is the SHA-256 of its start page, which identifies
 * its own list.
 */
export class CodeGuard {
  readonly #page: string;
  readonly #listCache: string;
  readonly #tell: () => void;
  #own: SignedList | null = null;
  #next: SignedList | null = null;

  /**
   * `listCache` is the cache in which this version stores its list; `tell` is called when there is
   * news for pages.
   */
  constructor(page: string, listCache: string, tell: () => void) {
    this.#page = page;
    this.#listCache = listCache;
    this.#tell = tell;
  }

  async #ownList(): Promise<SignedList | null> {
    if (this.#own === null) {
      const kept = await (await caches.open(this.#listCache)).match(signedPath);
      if (kept !== undefined) this.#own = listOf(await kept.text(), '');
      else this.#own = await this.#askOwn();
    }
    return this.#own;
  }

  /** Fetches the list of this version if this device has lost it; null if it is unavailable. */
  async #askOwn(): Promise<SignedList | null> {
    try {
      const list = await this.#findList(startPage, this.#page);
      await (await caches.open(this.#listCache)).put(signedPath, new Response(list.text));
      return list;
    } catch {
      return null;
    }
  }

  async #nextList(): Promise<SignedList | null> {
    if (this.#next === null) {
      const kept = await (await open()).match(nextFile);
      if (kept !== undefined) this.#next = listOf(await kept.text(), '');
    }
    return this.#next;
  }

  async #note(change: (state: CodeState) => CodeState): Promise<void> {
    const state = await readCodeState();
    if (state === null) return;
    await keepState(change(state));
    this.#tell();
  }

  async #alarm(refusal: unknown): Promise<void> {
    // An unavailable server is no evidence of a change.
    if (!(refusal instanceof Refusal)) return;
    const { key, reason } = refusal;
    await this.#note(state =>
      state.alarm?.reason === reason && state.alarm.key === key
        ? state
        : { ...state, alarm: { reason, key, at: new Date().toISOString() } },
    );
  }

  /** Records that the version with this title is in use, and clears the alarm. */
  async #use({ title }: SignedList, isAsked = false): Promise<void> {
    const state = await readCodeState();
    if (state === null || (state.versions[0]?.title === title && state.alarm === null)) return;
    const isNew = state.versions[0]?.title !== title;
    await this.#note(() => ({
      ...state,
      alarm: null,
      versions: isNew
        ? [{ title, since: new Date().toISOString() }, ...state.versions].slice(0, VERSIONS_MAX)
        : state.versions,
      is_told: isNew ? isAsked || state.versions.length === 0 : state.is_told,
    }));
  }

  /**
   * Fetches the list of this version for its installation; pins the key on a first visit.
   * @throws when the list belongs to another version, or the pinned key did not sign it: then
   *   nothing may be installed.
   */
  async begin(): Promise<void> {
    const state = await readCodeState();
    let list: SignedList;
    try {
      const pinned = state?.key ?? '';
      list = await fetchList(pinned);
      if (list.files.get(startPage) !== this.#page)
        list = (await findListOf(pinned, startPage, this.#page)) ?? list;
    } catch (refusal) {
      await this.#alarm(refusal);
      throw refusal;
    }
    if (list.files.get(startPage) !== this.#page) throw new Error('The list is of another version');
    if (state === null || (state.key === '' && list.key !== ''))
      await keepState({
        versions: [],
        is_told: true,
        alarm: null,
        ...state,
        key: list.key,
        pinned_at: new Date().toISOString(),
      });
    await (await caches.open(this.#listCache)).put(signedPath, new Response(list.text));
    this.#own = list;
  }

  /**
   * Marks this version as the one that controls the pages. With `isAsked` the user requested it and
   * needs no notice.
   */
  async take(isAsked: boolean): Promise<void> {
    const own = await this.#ownList();
    if (own !== null) await this.#use(own, isAsked);
  }

  /**
   * Returns whether these bytes are the file at this path, in this version or in a newer verified
   * one.
   */
  async isKnown(file: string, bytes: ArrayBuffer): Promise<boolean> {
    const hash = await hashOf(bytes);
    return (
      (await this.#ownList())?.files.get(file) === hash || (await this.#nextList())?.files.get(file) === hash
    );
  }

  /**
   * Returns whether these bytes are a start page that may run: this version's, or one in a newer
   * list signed by the pinned key.
   */
  async mayShow(bytes: ArrayBuffer): Promise<boolean> {
    const hash = await hashOf(bytes);
    if (hash === this.#page) {
      const own = await this.#ownList();
      if (own !== null) await this.#use(own);
      return true;
    }
    try {
      const list = await this.#findList(startPage, hash);
      await (await open()).put(nextFile, new Response(list.text));
      this.#next = list;
      await this.#use(list);
      return true;
    } catch (refusal) {
      await this.#alarm(refusal);
      return false;
    }
  }

  /**
   * Finds a list signed by the pinned key in which this file has this hash. @throws Refusal without
   * one.
   */
  async #findList(file: string, hash: string): Promise<SignedList> {
    const pinned = (await readCodeState())?.key ?? '';
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const list = await fetchList(pinned);
      if (list.files.get(file) === hash) return list;
      const other = await findListOf(pinned, file, hash);
      if (other !== null) return other;
    }
    throw new Refusal('altered');
  }

  /**
   * Returns whether the pinned key signed the worker that the browser is installing, which cannot
   * be prevented; if not, raises an alarm.
   */
  async isWorkerKnown(): Promise<boolean> {
    try {
      const answer = await fetch(workerFile, { cache: 'no-store' });
      if (!answer.ok) return false;
      await this.#findList(workerFile, await hashOf(await answer.arrayBuffer()));
      return true;
    } catch (refusal) {
      await this.#alarm(refusal);
      return false;
    }
  }

  /** Records that a page has reported the newest version. */
  async setTold(): Promise<void> {
    await this.#note(state => ({ ...state, is_told: true }));
  }

  /**
   * Trusts the key that signed the refused code, at the user's request. Does nothing if the alarm
   * now names another key.
   */
  async trust(key: string): Promise<void> {
    await this.#note(state =>
      key !== '' && state.alarm?.key === key
        ? { ...state, key, pinned_at: new Date().toISOString(), alarm: null }
        : state,
    );
  }
}
