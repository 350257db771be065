// Reading and writing one string in local storage without ever throwing: storage may be blocked, full or absent.
// Only for settings that hold nothing secret; what belongs to a session goes through platform/storage.

/** The stored string, or null when there is none or storage is blocked. */
export function findSetting(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores the string; a blocked or full storage loses it silently, and the setting then lasts for this page only. */
export function keepSetting(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing to do: the setting stays in memory.
  }
}
