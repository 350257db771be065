// The search worker: holds the mailbox index and its files, exchanges segments with the server, and
// answers queries. It holds only the index key; a separate worker reads messages (reading.ts) and
// hands over segments.
import { createSearchBox, type SearchBox } from '@keyfold/crypto/search-index';
import { marksOf } from '@keyfold/search/highlight';
import type { HitPage, HitPlace, IndexedMail } from '@keyfold/search/index';
import { holdsPhrase } from '@keyfold/search/phrase';
import type { Condition, Query } from '@keyfold/search/query';
import { snippetAt } from '@keyfold/search/snippet';
import * as Comlink from 'comlink';
import { SEARCH_PUSH_PAUSE_MS, SEARCH_RETRY_MS, SEARCH_ROUND_MS, searchWholePassMs } from '../../timing.ts';
import { createReading, type Reading } from '../reading/reading.ts';
import { startReader } from '../reading/reading-start.ts';
import type { SearchPort } from '../reading/search-keys.ts';
import { serveWorker } from '../worker/serve-worker.ts';
import { type FillProgress, fill } from './search-filler.ts';
import { createSearchKeeper, type SearchKeeper } from './search-keeper.ts';
import { type OnServer, pullSegments, pushSegments } from './search-sync.ts';

/** State of the index. */
export type SearchState = FillProgress & {
  readonly phase: 'starting' | 'reading' | 'resting' | 'ready' | 'failed';
};

/**
 * Whether the worker should leave the device and the network to other work, for longer (`isQuiet`)
 * or briefly (`isBusy`).
 */
export type SearchMood = { readonly isQuiet: boolean; readonly isBusy: boolean };

const writerLock = 'search-writer';
const channelName = 'search-changed';
/** Number of texts, read to check phrases, that are cached for the next page or keystroke. */
const KEPT_TEXTS = 200;

let keeper: SearchKeeper | null = null;
let box: SearchBox | null = null;
let reading: Reading | null = null;
let mood: SearchMood = { isQuiet: false, isBusy: false };
let tellState: (state: SearchState) => void = () => undefined;
let state: SearchState = { phase: 'starting', total: 0, indexed: 0, since: null, isComplete: false };
let wake: () => void = () => undefined;
let hasNews = false;
/** Messages that the writing tab must read again. */
const stale = new Set<string>();
const channel = new BroadcastChannel(channelName);

/**
 * Message between tabs: the files of the index changed, or the writing tab must read these messages
 * again.
 */
type Told = 'changed' | { readonly again: readonly string[] };

const tellTabs = (told: Told): void => channel.postMessage(told);

function readSoon(ids: readonly string[]): void {
  for (const id of ids) {
    stale.add(id);
    texts.delete(id);
  }
  hasNews = true;
  wake();
}

function setState(change: Partial<SearchState>): void {
  state = { ...state, ...change };
  tellState(state);
}

const awake = (ms: number): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

async function rest(): Promise<void> {
  const { phase } = state;
  while (mood.isQuiet || mood.isBusy) {
    // A brief pause is not reported.
    if (mood.isQuiet && state.phase !== 'resting') setState({ phase: 'resting' });
    await awake(SEARCH_ROUND_MS);
  }
  if (state.phase !== phase) setState({ phase });
}

type Saved = { readonly wholePassAt: number };

async function loadSaved(files: SearchKeeper['files']): Promise<Saved> {
  try {
    const bytes = await files.loadState();
    const saved = bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as Saved);
    return { wholePassAt: Number(saved?.wholePassAt) || 0 };
  } catch {
    return { wholePassAt: 0 };
  }
}

/**
 * Runs one round of the writing tab: loads the segments of other devices, indexes missing messages,
 * uploads new segments.
 */
async function round(held: SearchKeeper, sealed: SearchBox, from: Reading): Promise<void> {
  await rest();
  let onServer: OnServer = new Map();
  let canSync = true;
  try {
    onServer = await pullSegments(held, sealed);
  } catch {
    canSync = false;
  }
  const saved = await loadSaved(held.files);
  const isWhole = Date.now() - saved.wholePassAt > searchWholePassMs;
  setState({ phase: 'reading' });
  let pushedAt = Date.now();
  let pushing: Promise<void> = Promise.resolve();
  const push = (isSettled: boolean): Promise<void> => {
    pushing = pushing.then(() => pushSegments(held, sealed, onServer, isSettled)).catch(() => undefined);
    return pushing;
  };
  const again = [...stale];
  await fill(
    {
      keeper: held,
      reading: from,
      again,
      rest,
      onProgress: progress => {
        setState(progress);
        if (!canSync || Date.now() - pushedAt < SEARCH_PUSH_PAUSE_MS) return;
        pushedAt = Date.now();
        void push(false);
      },
    },
    isWhole,
  );
  for (const id of again) stale.delete(id);
  if (isWhole) {
    const now: Saved = { wholePassAt: Date.now() };
    await held.files.saveState(new TextEncoder().encode(JSON.stringify(now)));
  }
  if (canSync) await push(true);
  setState({ phase: 'ready' });
}

/** Runs the writing tab's work for the life of the worker. */
async function write(held: SearchKeeper, sealed: SearchBox, from: Reading): Promise<never> {
  await held.load(true);
  for (;;) {
    let isDone = true;
    hasNews = false;
    try {
      await round(held, sealed, from);
    } catch {
      isDone = false;
      setState({ phase: 'failed' });
    }
    if (!hasNews) await awake(isDone ? SEARCH_ROUND_MS : SEARCH_RETRY_MS);
  }
}

async function findTexts(ids: readonly string[]): Promise<ReadonlyMap<string, IndexedMail['texts']>> {
  const found = new Map<string, IndexedMail['texts']>();
  const missing: string[] = [];
  for (const id of ids) {
    const known = texts.get(id);
    if (known === undefined) missing.push(id);
    else found.set(id, known);
  }
  for (let at = 0; at < missing.length; at += 25) {
    for (const mail of (await reading?.texts(missing.slice(at, at + 25))) ?? []) {
      found.set(mail.id, mail.texts);
      texts.set(mail.id, mail.texts);
      const [oldest] = texts.keys();
      if (texts.size > KEPT_TEXTS && oldest !== undefined) texts.delete(oldest);
    }
  }
  return found;
}
const texts = new Map<string, IndexedMail['texts']>();

/**
 * Prepares, between the first keystrokes of a query, the data that the next ones need, one segment
 * at a time.
 */
function prepare(): void {
  if (keeper?.index.prepare()) setTimeout(prepare);
}

const searchWorker = {
  /** Opens the index; `portToKeys` connects to the key worker. Only one tab at a time fills it. */
  start: async (portToKeys: MessagePort, onState: (state: SearchState) => void): Promise<void> => {
    tellState = onState;
    const keys = Comlink.wrap<SearchPort>(portToKeys);
    reading = createReading(() => startReader(keys));
    const [key = new Uint8Array(0), ...former] = await keys.searchKeys();
    box = await createSearchBox(key, former).finally(() => {
      for (const one of [key, ...former]) one.fill(0);
    });
    keeper = await createSearchKeeper(box, () => tellTabs('changed'));
    await keeper.load(false);
    setState({ indexed: keeper.index.mailCount() });
    const [held, sealed, from] = [keeper, box, reading];
    channel.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data === 'changed') void held.load(false).then(() => setState({ indexed: held.index.mailCount() }));
    };
    const work = (): Promise<never> => {
      channel.onmessage = ({ data }: MessageEvent<Told>) => {
        if (data !== 'changed') readSoon(data.again);
      };
      return write(held, sealed, from);
    };
    void ('locks' in navigator ? navigator.locks.request(writerLock, work) : work());
  },
  setMood: (now: SearchMood): void => {
    mood = now;
    wake();
  },
  /** Reports that there may be new messages. */
  lookAgain: (): void => {
    hasNews = true;
    wake();
  },
  /**
   * Reports that the texts of these messages can be read better now than when they were indexed.
   */
  readAgain: (ids: readonly string[]): void => {
    readSoon(ids);
    tellTabs({ again: ids });
  },
  state: (): SearchState => state,
  /** Returns a page of hits. */
  search: (query: Query, limit: number, after: HitPlace | null): HitPage => {
    if (keeper === null) return { hits: [], total: 0 };
    setTimeout(prepare);
    return keeper.index.search(query, limit, after);
  },
  /**
   * Checks a query's phrases against these messages: returns for each message the indexes of the
   * conditions that do not hold.
   */
  checkPhrases: async (
    conditions: readonly Condition[],
    ids: readonly string[],
    asked: readonly number[],
  ): Promise<ReadonlyMap<string, readonly number[]>> => {
    const read = await findTexts(ids);
    return new Map(
      ids.map(id => {
        const found = read.get(id);
        const failing = asked.filter(at => {
          const condition = conditions[at];
          return condition === undefined || found === undefined || !holdsPhrase(condition, found);
        });
        return [id, failing];
      }),
    );
  },
  /**
   * Returns, for messages whose text has a query's words further down, the passage around the first
   * of them.
   */
  snippets: async (query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const marks = marksOf(query, ['body']);
    const moved = new Map<string, string>();
    if (marks.length === 0) return moved;
    for (const [id, { body }] of await findTexts(ids)) {
      const snippet = snippetAt(body, marks);
      if (snippet !== null) moved.set(id, snippet);
    }
    return moved;
  },
};
export type SearchWorker = typeof searchWorker;

serveWorker(searchWorker);
