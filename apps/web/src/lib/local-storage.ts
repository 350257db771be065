// Reads and writes single strings in local storage without ever throwing: storage may be blocked,
// full or absent. Only for settings without secrets; session data goes through platform/storage.

/** Returns the stored string, or null when there is none or storage is blocked. */
export function findSetting(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Stores the string. If storage is blocked or full, the string is lost silently and the setting
 * lasts for this page only.
 */
export function keepSetting(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The setting stays in memory.
  }
}
