/**
 * In-memory cache of recently requested files of other builds. During an upgrade every page
 * requests the same few files; without the cache each request would read, decompress and verify a
 * file again, and each slow client would hold its own copy. Missing files are cached briefly too.
 */
export type ClientFile = {
  readonly plain: Buffer;
  /** Brotli-compressed content. */
  readonly packed: Buffer;
};

/** Maximum total size of cached files, plain and compressed, in bytes. */
const KEPT_MAX_BYTES = 16 * 1024 * 1024;
/** Maximum number of cached paths, including paths without a file. */
const PATHS_MAX = 1_000;
/** How long a missing file is cached. Short, because another machine may be about to store it. */
const NONE_MS = 5_000;

type Kept = { readonly file: Promise<ClientFile | null>; sizeBytes: number; noneUntilMs: number };

/** Finds files with `find`, once for all concurrent requests for the same file. */
export function createKeptFiles(
  find: (at: string) => Promise<ClientFile | null>,
  nowMs: () => number = () => performance.now(),
): (at: string) => Promise<ClientFile | null> {
  const kept = new Map<string, Kept>();
  let keptBytes = 0;

  const forget = (at: string, one: Kept): void => {
    if (kept.get(at) !== one) return;
    kept.delete(at);
    keptBytes -= one.sizeBytes;
  };
  const makeRoom = (): void => {
    for (const [at, one] of kept) {
      if (keptBytes <= KEPT_MAX_BYTES && kept.size <= PATHS_MAX) return;
      forget(at, one);
    }
  };
  const ask = (at: string): Kept => {
    const one: Kept = { file: find(at), sizeBytes: 0, noneUntilMs: Number.POSITIVE_INFINITY };
    one.file.then(
      file => {
        if (kept.get(at) !== one) return;
        if (file === null) one.noneUntilMs = nowMs() + NONE_MS;
        else one.sizeBytes = file.plain.length + file.packed.length;
        keptBytes += one.sizeBytes;
        makeRoom();
      },
      () => forget(at, one),
    );
    return one;
  };

  return at => {
    const known = kept.get(at);
    if (known !== undefined && known.noneUntilMs <= nowMs()) forget(at, known);
    const one = kept.get(at) ?? ask(at);
    // Moves the most recently used entry to the end, so that older ones are evicted first.
    kept.delete(at);
    kept.set(at, one);
    makeRoom();
    return one.file;
  };
}
