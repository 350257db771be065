// Exchanges sealed segments with the server, so that a second device need not read the whole
// mailbox again. Segments never change; a merged segment names its sources and replaces them on the
// server. Two devices may index the same messages at once: a message in two segments counts once,
// and the next merge keeps one.
import { decodeBase64, encodeBase64 } from '@keyfold/crypto/message';
import type { SearchBox } from '@keyfold/crypto/search-index';
import { openSegment } from '@keyfold/search/index';
import { fetchSegment, searchClient } from '../reading/search-calls.ts';
import type { SearchKeeper } from './search-keeper.ts';

/** Minimum number of messages of a segment that is stored separately on the server. */
const LARGE_DOCS = 1_600;
/** Maximum number of segments that one segment names as replaced. */
const REPLACED_MAX = 100;

type Head = {
  readonly v: 1;
  readonly uid: string;
  readonly docs: number;
  readonly newest: number;
  readonly oldest: number;
};

/** Segments on the server: the uid of each with its server-side ID. */
export type OnServer = Map<string, string>;

async function openHead(box: SearchBox, sealed: string): Promise<Head | null> {
  try {
    const head = JSON.parse(new TextDecoder().decode(await box.open('head', decodeBase64(sealed)))) as Head;
    return head.v === 1 && typeof head.uid === 'string' ? head : null;
  } catch {
    return null;
  }
}

/** Adds the server's segments that are missing here, both whole and as part of a merge. */
export async function pullSegments(keeper: SearchKeeper, box: SearchBox): Promise<OnServer> {
  const { data } = await searchClient.segments({});
  const onServer: OnServer = new Map();
  const here = new Set(keeper.index.segments().flatMap(({ segment }) => [segment.uid, ...segment.sources]));
  for (const { id, head: sealed } of data) {
    const head = await openHead(box, sealed);
    if (head === null) continue;
    onServer.set(head.uid, id);
    if (here.has(head.uid)) continue;
    try {
      const bytes = await box.open('segment', await fetchSegment(id));
      // The server may return another segment than the head names.
      if (openSegment(bytes).uid === head.uid) await keeper.addSegment(bytes);
    } catch {
      // Messages of a segment that does not open are indexed from the messages themselves.
    }
  }
  return onServer;
}

/**
 * Uploads the segments that the server lacks. With `isSettled`, small segments are first merged
 * into one and uploaded as well.
 */
export async function pushSegments(
  keeper: SearchKeeper,
  box: SearchBox,
  onServer: OnServer,
  isSettled: boolean,
): Promise<void> {
  if (isSettled) {
    const small = keeper.index.segments().filter(({ docs }) => docs < LARGE_DOCS);
    const isNews = small.some(({ uid }) => !onServer.has(uid));
    if (isNews && small.length > 1) await keeper.merge(small.map(({ uid }) => uid));
  }
  for (const { uid, docs, segment } of keeper.index.segments()) {
    if (onServer.has(uid) || docs === 0 || (docs < LARGE_DOCS && !isSettled)) continue;
    const bytes = keeper.bytesOf(uid);
    if (bytes === null) continue;
    // Sealed before the next await on the network: a merge frees the bytes of the segments it
    // replaces.
    const sealed = await box.seal('segment', bytes);
    const head: Head = {
      v: 1,
      uid,
      docs,
      newest: segment.times[0] ?? 0,
      oldest: segment.times[docs - 1] ?? 0,
    };
    const replaced = segment.sources.flatMap(source => onServer.get(source) ?? []).slice(0, REPLACED_MAX);
    const { data } = await searchClient.add_segment(
      {
        head: encodeBase64(await box.seal('head', new TextEncoder().encode(JSON.stringify(head)))),
        ...(replaced.length === 0 ? {} : { replaces: replaced.join(',') }),
      },
      { file: new Blob([sealed]) },
    );
    onServer.set(uid, data.id);
    for (const [source, id] of [...onServer]) if (replaced.includes(id)) onServer.delete(source);
  }
}
