// State of the app's code that the service worker stores on this device (service-worker-code.ts),
// for pages to read. Types only: code shared by page and worker would become a separate file, which
// the worker cannot import.

/**
 * Why code was rejected: it is signed with another key, or it is not what the pinned key signed.
 */
export type AlarmReason = 'other-key' | 'altered';

type CodeVersion = {
  /** First line of the list: the version and what it was built from. */
  readonly title: string;
  /** When this device first used it, ISO 8601. */
  readonly since: string;
};

/** Stored state of the app's code on this device. */
export type CodeState = {
  /** The pinned key, raw, base64; empty where the browser cannot check signatures. */
  readonly key: string;
  /** When it was pinned, ISO 8601. */
  readonly pinned_at: string;
  /** Newest first. */
  readonly versions: readonly CodeVersion[];
  /** Whether a page has reported the newest version to the user. */
  readonly is_told: boolean;
  /**
   * The last version that was rejected and is still rejected. `key` is the key that signed it,
   * empty for unsigned code.
   */
  readonly alarm: { readonly reason: AlarmReason; readonly at: string; readonly key: string } | null;
};

/**
 * News about the app's code: the waiting worker of a newer version, or that the app has changed, or
 * that a changed version was rejected.
 */
export type ProgramNews = ServiceWorker | 'changed' | 'refused';
