// What the service worker keeps of the program on this device (service-worker-code.ts), for pages to read. Types alone: code
// that a page and the worker shared would be a file of its own, which the worker cannot import.

/** Why code was refused: signed by another key, or not what the pinned key signed. */
export type AlarmReason = 'other-key' | 'altered';

type CodeVersion = {
  /** First line of the list: version, and what it was built of. */
  readonly title: string;
  /** When this device began to use it, ISO 8601. */
  readonly since: string;
};

/** What is kept of the program on this device. */
export type CodeState = {
  /** The pinned key, raw, base64; empty where the browser cannot check signatures. */
  readonly key: string;
  /** When it was pinned, ISO 8601. */
  readonly pinned_at: string;
  /** Newest first. */
  readonly versions: readonly CodeVersion[];
  /** Whether a page has told of the newest one. */
  readonly is_told: boolean;
  /** What was refused last and is still refused; `key` is who signed it, empty where nobody did. */
  readonly alarm: { readonly reason: AlarmReason; readonly at: string; readonly key: string } | null;
};

/**
 * What there is to tell of the program: the worker of a newer version that waits to be asked, or that the program has changed,
 * or that a changed one was refused.
 */
export type ProgramNews = ServiceWorker | 'changed' | 'refused';
