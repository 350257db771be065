/**
 * Both indexes, each in a separate worker: building, queries while typing, and taking over a sealed
 * index.
 */
import { createSearchBox, deriveSearchKey } from '../../packages/crypto/src/search-index.ts';
import { createBuilder, createIndex, mergeSegments, openSegment } from '../../packages/search/src/index.ts';
import { parseQuery } from '../../packages/search/src/query.ts';
import { createCorpus } from './corpus.mjs';

const MAILS_PER_SEGMENT = 2_000;
const ROUNDS = 60;

const uid = () => crypto.getRandomValues(new Uint8Array(16));
const quantile = (times, share) => times.sort((a, b) => a - b)[Math.floor(times.length * share)];

function build(corpus, count) {
  const index = createIndex();
  const bytes = new Map();
  const take = made => bytes.set(index.add(made).uid, made);
  let builder = createBuilder();
  for (let number = 0; number < count; number++) {
    builder.add(corpus.mail(number));
    if (builder.docCount() < MAILS_PER_SEGMENT && number < count - 1) continue;
    take(builder.finish(uid()));
    builder = createBuilder();
    for (let uids = index.planMerge(); uids.length > 0; uids = index.planMerge()) {
      const work = mergeSegments(
        uids.map(one => index.living(one)).filter(one => one !== null),
        uid(),
        [],
      );
      let step = work.next();
      while (!step.done) step = work.next();
      index.replace(step.value, uids);
      for (const one of uids) bytes.delete(one);
      bytes.set(openSegment(step.value).uid, step.value);
    }
  }
  return { index, bytes };
}

/** Returns the times of three operators and of a word typed character by character. */
function ask(index, { words }) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [person, word] = [words[(round * 37) % 900], words[(round * 101) % 3_000]];
    for (let length = 1; length <= Math.min(6, word.length); length++) {
      const query = `from:${person.slice(0, 3)} after:2023-12-01 has:attachment ${word.slice(0, length)}`;
      const started = performance.now();
      index.search(parseQuery(query), 50, null);
      times.push(performance.now() - started);
    }
  }
  return times;
}

/** Returns the times of whole words, each queried once. */
function askWords(index, { words }) {
  while (index.prepare());
  return Array.from({ length: ROUNDS * 3 }, (_, round) => {
    const query = parseQuery(words[(round * 101) % 3_000]);
    const started = performance.now();
    index.search(query, 50, null);
    return performance.now() - started;
  });
}

async function takeOver(bytes) {
  const box = await createSearchBox(await deriveSearchKey(new Uint8Array(32).fill(1)));
  const sealed = [];
  for (const one of bytes.values()) sealed.push(new Blob([await box.seal('segment', one)]));
  const addresses = sealed.map(blob => URL.createObjectURL(blob));
  const started = performance.now();
  const second = createIndex();
  for (const address of addresses) {
    const got = new Uint8Array(await (await fetch(address)).arrayBuffer());
    second.add(await box.open('segment', got));
  }
  second.search(parseQuery('a'), 50, null);
  return performance.now() - started;
}

/**
 * Keeps the index alive while the worker's memory is measured.
 * @type {ReturnType<typeof build> | null}
 */
let kept = null;

async function ours(count) {
  const corpus = createCorpus();
  const started = performance.now();
  const { index, bytes } = build(corpus, count);
  const buildMs = performance.now() - started;
  const times = ask(index, corpus);
  const wordTimes = askWords(index, corpus);
  kept = { index, bytes };
  return {
    rate: (count / buildMs) * 1000,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    wordsP95: quantile(wordTimes, 0.95),
    megabytes: [...bytes.values()].reduce((sum, one) => sum + one.length, 0) / 1e6,
  };
}

async function fts(count) {
  const { default: init } = await import(/* @vite-ignore */ `${location.origin}/peers/sqlite/index.mjs`);
  const sqlite = await init({ print: () => undefined, printErr: () => undefined });
  const db = new sqlite.oo1.DB(':memory:');
  db.exec(
    "create virtual table mail using fts5(sender, subject, body, content='', detail=none, tokenize='unicode61 remove_diacritics 2')",
  );
  const corpus = createCorpus();
  const started = performance.now();
  for (let from = 0; from < count; from += MAILS_PER_SEGMENT) {
    db.exec('begin');
    const insert = db.prepare('insert into mail(rowid, sender, subject, body) values (?, ?, ?, ?)');
    for (let number = from; number < Math.min(count, from + MAILS_PER_SEGMENT); number++) {
      const { texts } = corpus.mail(number);
      insert.bind([number + 1, texts.from, texts.subject, texts.body]).stepReset();
    }
    insert.finalize();
    db.exec('commit');
  }
  return { rate: (count / (performance.now() - started)) * 1000 };
}

self.onmessage = async ({ data: { what, count } }) => {
  try {
    if (what === 'second' && kept !== null) postMessage({ secondMs: await takeOver(kept.bytes) });
    else postMessage(what === 'ours' ? await ours(count) : await fts(count));
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
