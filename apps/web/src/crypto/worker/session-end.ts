// Cleanup at the end of a session, besides its keys: a module that starts a worker holding mail or
// a key registers here how to terminate it, so that the session need not know about searches,
// exports and imports.

const ends = new Set<() => void>();

/**
 * Registers a cleanup function for the end of a session; each one only once. It must be synchronous
 * and must not throw.
 */
export function endWithSession(end: () => void): void {
  ends.add(end);
}

/**
 * Runs all cleanup functions. Call it before locking the keys, so that no worker stops halfway, and
 * before deleting files.
 */
export function endWorkers(): void {
  for (const end of ends) end();
}
