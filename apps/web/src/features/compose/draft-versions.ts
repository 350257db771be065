// Which version of a stored draft this is. The server keeps a sealed summary as it was saved, and no two of them are alike.

/** Versions that are remembered of one draft: as many savings may go by without an answer. */
const versionsMax = 8;
/** Characters of its end: more than the seal's tag of 16 bytes. */
const markCharacters = 24;

/** The mark of a version, by the sealed summary; null for a draft that nobody wrote in. */
export const versionOf = (summary: string | null): string | null => summary?.slice(-markCharacters) ?? null;

/** What is remembered once a version is on its way to the server; nothing where the ones before are not known. */
export const withVersion = (
  known: readonly string[] | null,
  summary: string | null,
): readonly string[] | null => {
  const version = versionOf(summary);
  return known === null || version === null ? known : [...known, version].slice(-versionsMax);
};
