// What ends with a session beside its keys: who starts a worker that holds mail, or a key of its own, says here how it is
// ended, so that the session need not know of searches, exports and imports.

const ends = new Set<() => void>();

/** Names what is ended with a session; the same only once. It must be done at once, and not throw. */
export function endWithSession(end: () => void): void {
  ends.add(end);
}

/** Ends all of it: to be called before the keys are locked, so that nobody is left halfway, and before files are removed. */
export function endWorkers(): void {
  for (const end of ends) end();
}
