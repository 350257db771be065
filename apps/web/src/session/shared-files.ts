// Files that another program shared for a draft, until the next opened draft takes them.

let shared: readonly File[] = [];

/** Stores files for the next draft, replacing any that no draft has taken. */
export function shareFiles(files: readonly File[]): void {
  shared = files;
}

/** Returns the files; later calls return none. */
export function takeSharedFiles(): readonly File[] {
  const taken = shared;
  shared = [];
  return taken;
}
