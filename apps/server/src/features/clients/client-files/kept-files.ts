/**
 * Files of other builds that were asked for of late, in memory: while an upgrade runs every page asks for the same few, and each
 * would be read, unpacked and checked anew, and held by each slow reader. What nobody has is remembered for a moment too.
 */
export type ClientFile = {
  readonly plain: Buffer;
  /** The same as brotli. */
  readonly packed: Buffer;
};

/** Bytes of files that are kept, plain and packed. */
const KEPT_MAX_BYTES = 16 * 1024 * 1024;
/** Paths that are remembered, those without a file among them. */
const PATHS_MAX = 1_000;
/** How long a path without a file is believed to have none: another machine may be bringing it. */
const NONE_MS = 5_000;

type Kept = { readonly file: Promise<ClientFile | null>; sizeBytes: number; noneUntilMs: number };

/** Finds files by `find`, each once for all who ask for it at a time. */
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
    // The one asked for last stands last: those before it go first.
    kept.delete(at);
    kept.set(at, one);
    makeRoom();
    return one.file;
  };
}
