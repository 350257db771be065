// Files that another program handed over for a letter, until the next letter that is opened takes them.

let shared: readonly File[] = [];

/** Keeps them for the next letter, in place of others that no letter took. */
export function shareFiles(files: readonly File[]): void {
  shared = files;
}

/** The files; the second look finds nothing. */
export function takeSharedFiles(): readonly File[] {
  const taken = shared;
  shared = [];
  return taken;
}
