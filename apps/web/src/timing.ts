// Every wait of the web client, in milliseconds. Features must not contain other literal durations.
// Limits that both ends must agree on are in @keyfold/contract; this module has only those the
// browser decides. docs/spec-map.md 2, 4, 7, 9.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Interval between polls for new mail while the tab is visible. docs/spec-map.md 9. */
export const POLL_INTERVAL_MS = 30 * SECOND_MS;
/**
 * Delay before retrying a server that did not answer; doubles each time, up to the interval above.
 */
export const unansweredRetryMs = SECOND_MS;
/** Delay before a refused event stream is requested again; doubles each time, up to the maximum. */
export const EVENTS_RETRY_MS = 5 * SECOND_MS;
export const EVENTS_RETRY_MAX_MS = 5 * MINUTE_MS;
/**
 * Window for batching remote changes before lists are refetched, and the minimum interval between
 * refetches.
 */
export const CHANGES_GATHER_MS = 300;
export const CHANGES_PAUSE_MS = 2 * SECOND_MS;
/** Age at which an operation lock counts as abandoned. docs/spec-map.md 4. */
export const OPERATION_LOCK_MS = 30 * SECOND_MS;
/** Duration of a plain toast. docs/spec-map.md 2.20. */
export const TOAST_MS = 3 * SECOND_MS;
/** Duration of a toast with an action: three seconds are too few to undo anything (WCAG 2.2.1). */
export const ACTION_TOAST_MS = 10 * SECOND_MS;
/** How long `z` still undoes an action after its toast is gone. */
export const UNDO_WINDOW_MS = 60 * SECOND_MS;
/** Debounce after typing before the admin user search sends a request. docs/spec-map.md 9. */
export const SEARCH_DEBOUNCE_MS = 500;
/** Delay between an admin action and the refresh of its list. docs/spec-map.md 9. */
export const REFRESH_AFTER_ACTION_MS = 500;
/** How often the console's debug line checks the age of its token. */
export const debugClockMs = SECOND_MS;
/** Interval between two scans of the camera image for a code. */
export const CAMERA_LOOK_MS = 150;
/**
 * Interval between two checks for a payment that Stripe has not reported yet, and the time after
 * which the page stops announcing it as imminent.
 */
export const PAYMENT_POLL_MS = 2 * SECOND_MS;
export const PAYMENT_PATIENCE_MS = 90 * SECOND_MS;
/** Interval between two checks whether a share code on the screen was used. */
export const SHARE_CODE_POLL_MS = 5 * SECOND_MS;
/** Time after which a page that was navigating to another site becomes usable again. */
export const LEAVING_MS = 10 * SECOND_MS;
/** Timeout for loading one chunk of the client. docs/spec-map.md 7.03. */
export const CHUNK_TIMEOUT_MS = 120 * SECOND_MS;
/** Delays before a chunk whose connection broke is requested again; another server may answer. */
export const CHUNK_RETRY_DELAYS_MS = [300, 2 * SECOND_MS] as const;
/** Timeout of one request in a browser. docs/spec-map.md 7.03. */
export const WEB_REQUEST_TIMEOUT_MS = 10 * SECOND_MS;
/** Timeout of one request in the native shell. docs/spec-map.md 7.03. */
export const NATIVE_REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
/** Maximum time a PST upload may make no progress. docs/spec-map.md 9. */
export const PST_UPLOAD_TIMEOUT_MS = 30 * SECOND_MS;
/** Lifetime of a cached CSRF token. docs/spec-map.md 9. */
export const CSRF_LIFETIME_MS = 23 * HOUR_MS;
/** A CSRF token with less than this left is replaced. docs/spec-map.md 9. */
export const CSRF_REFRESH_BUFFER_MS = 5 * MINUTE_MS;
/** Delay before retrying a call refused for its CSRF token. docs/spec-map.md 8. */
export const csrfRetryDelayMs = SECOND_MS;
/** A stored session older than this is cleared. docs/spec-map.md 9. */
export const AUTH_BACKUP_LIFETIME_MS = 30 * DAY_MS;
/** Validity of biometric credentials. docs/spec-map.md 9. */
export const BIOMETRIC_LIFETIME_MS = 7 * DAY_MS;
/** Validity of biometric credentials with a kept session. docs/spec-map.md 9. */
export const KEPT_BIOMETRIC_LIFETIME_MS = 30 * DAY_MS;
/** Delay before the session check is retried against the backup vault. docs/spec-map.md 4. */
export const SESSION_RETRY_DELAY_MS = 500;
/**
 * How long a restore whose answer was lost is repeated under its idempotency key; the server
 * recognizes the key for the same time.
 */
export const RESTORE_KEY_LIFETIME_MS = 60 * SECOND_MS;
/** Waits shorter than this show no indicator, so that fast answers do not flicker. */
export const QUIET_WAIT_MS = 200;
/** Delay before the reader shows that a message is being decrypted. */
export const slowOpenMs = SECOND_MS;
/** Timeout for opening a PDF file or one of its pages. */
export const PDF_WAIT_MS = 30 * SECOND_MS;
/** Delay before a list that failed to load is retried automatically. */
export const LIST_RETRY_MS = 20 * SECOND_MS;
/** Interval between two checks for the server while the client runs without one. */
export const ENTRY_RETRY_MS = 15 * SECOND_MS;
/** How long the document of a print job is kept after its dialog opened. */
export const printReleaseMs = MINUTE_MS;
/** Delay before the sign-in gate shows that it is taking longer than usual. */
export const SLOW_SIGNIN_MS = 10 * SECOND_MS;
/** Debounce after typing before a draft is saved. */
export const DRAFT_IDLE_MS = 1_500;
/** Maximum time between two saves of a draft during uninterrupted typing. */
export const DRAFT_MAX_WAIT_MS = 10 * SECOND_MS;
/** Delay before a failed draft save is retried. */
export const DRAFT_RETRY_MS = 5 * SECOND_MS;
/** Debounce after typing before a sealed copy of a draft is stored on this device. */
export const LOCAL_COPY_MS = 400;
/** Interval between two checks of a draft that another tab holds. */
export const heldDraftRetryMs = SECOND_MS;
/** Time on the list after which the reading pane's chunk is prefetched. */
export const READER_WARM_MS = 300;
/** Delay after which the composer's chunk is prefetched. */
export const COMPOSER_WARM_MS = 2 * SECOND_MS;
/** Timeout for the token of a phone's push service, which may have to ask its own servers. */
export const PUSH_TOKEN_WAIT_MS = 20 * SECOND_MS;
/**
 * Delay between page load and service worker registration, because the worker fetches the whole
 * client.
 */
export const SERVICE_WORKER_DELAY_MS = 5 * SECOND_MS;
/** Window for batching mailbox changes before notifications of read messages are removed. */
export const pushGatherMs = SECOND_MS;
/** Delay before the client looks for drafts left by a lost tab. */
export const draftsWarmMs = SECOND_MS;
/** Debounce after typing before an address is checked. */
export const ADDRESS_CHECK_DEBOUNCE_MS = 400;
/** Maximum delay between `g` and the key that selects the destination. */
export const GO_SEQUENCE_MS = 1_500;
/** Interval between two checks of a domain's records while its page is open. */
export const DOMAIN_POLL_MS = 30 * SECOND_MS;
/** How long "Copied" is shown beside a copy button. */
export const COPIED_MS = 2 * SECOND_MS;
/** Update interval of a countdown. */
export const COUNTDOWN_MS = 500;
/** How long a copied secret stays in the clipboard. */
export const CLIPBOARD_KEPT_MS = 60 * SECOND_MS;
/** Delay before a tooltip opens. */
export const TOOLTIP_DELAY_MS = 400;
/** Maximum time the main thread works on one task before it checks for input: half a frame. */
export const WORK_SLICE_MS = 8;
/** Debounce after typing before a search runs. */
export const MAIL_SEARCH_DEBOUNCE_MS = 80;
/**
 * Time on the list after which the search worker starts, so that it never competes with the first
 * list.
 */
export const SEARCH_WARM_MS = 3 * SECOND_MS;
/** Interval between the search worker's checks for segments created by other devices. */
export const SEARCH_ROUND_MS = 30 * MINUTE_MS;
/**
 * Window for batching mailbox changes before the search worker looks for messages that were not
 * announced.
 */
export const SEARCH_CHANGES_MS = 60 * SECOND_MS;
/** Delay before the search worker retries after a failure. */
export const SEARCH_RETRY_MS = 60 * SECOND_MS;
/** How long indexing pauses after the last page of a list was requested. */
export const SEARCH_AFTER_LIST_MS = 1_500;
/**
 * Timeout for reading a message that is attached to another one; the worker that reads it is then
 * terminated.
 */
export const CONTAINER_TIMEOUT_MS = 20 * SECOND_MS;
/** The same timeout during indexing, where many other messages are waiting. */
export const INDEXED_CONTAINER_MS = 10 * SECOND_MS;
/** Idle time after which the worker that reads mail for the index is terminated. */
export const READING_IDLE_MS = 5 * SECOND_MS;
/** How often the search worker compares all message ids of the mailbox with its index. */
export const searchWholePassMs = DAY_MS;
/**
 * Interval between two checks for segments to upload to the server while old mail is being indexed.
 */
export const SEARCH_PUSH_PAUSE_MS = 60 * SECOND_MS;
/** Interval between two refreshes of the results while the search index grows. */
export const searchRefreshMs = SECOND_MS;
/** Debounce after the last typed character before the texts of hits are read for their snippets. */
export const SEARCH_SNIPPET_MS = 400;
/** Debounce after the view changes before the search hits are highlighted again. */
export const MARK_PAUSE_MS = 100;
/** Time the mouse must rest on a row before the row's actions appear. */
export const POINTED_AFTER_MS = 50;
/** Duration of a touch that selects a row instead of opening it. */
export const LONG_PRESS_MS = 300;
/** Duration of the animation that returns a dragged row or list to its place. */
export const GESTURE_RETURN_MS = 300;
/** Maximum time a list waits for new mail after pull-to-refresh. */
export const REFRESH_PATIENCE_MS = 10 * SECOND_MS;
/** Delay after scrolling near unloaded rows before they are fetched again. */
export const LIST_WINDOW_PAUSE_MS = 100;
/** The same delay after a failure. */
export const LIST_WINDOW_RETRY_MS = 5 * SECOND_MS;
/** How often the user's own addresses are looked up in the key log. */
export const KEY_WATCH_ROUND_MS = 6 * 60 * MINUTE_MS;
/** Delay before a failed lookup of recipients' keys is retried. */
export const KEY_RETRY_MS = 10 * SECOND_MS;
/** Pause between two pages of old mail that is re-wrapped. */
export const REWRAP_PAUSE_MS = 100;
/** How long re-wrapping pauses after user input. */
export const REWRAP_REST_MS = 2 * SECOND_MS;
/** Delay before re-wrapping retries after a failure. */
export const rewrapRetryMs = MINUTE_MS;
/**
 * Delay before an import call that got no answer is retried; doubles each time, up to the maximum.
 */
export const importRetryMs = SECOND_MS;
export const IMPORT_RETRY_MAX_MS = 30 * SECOND_MS;
/** How often the server is polled for the progress of an import that it runs. */
export const SERVER_IMPORT_POLL_MS = 2 * SECOND_MS;
/** Maximum wait for another tab to release an export. */
export const EXPORT_LOCK_MS = 2 * SECOND_MS;
/** Minimum interval between two progress reports of a running export. */
export const EXPORT_TELL_MS = 200;
/** Delay before retrying, after sign-out, to remove files that a worker had open. */
export const FORGET_RETRY_MS = 100;
/**
 * Maximum time that the action which closed a layer may take to navigate, before the layer's
 * history entry is left.
 */
export const LAYER_LEFT_MS = 400;
/** Debounce after typing an address before its availability is checked. */
export const ADDRESS_PAUSE_MS = 400;
/** How long a message that was just opened is kept in view while its body loads. */
export const OPENED_GROWTH_MS = 3 * SECOND_MS;
/** Maximum wait for an idle moment before the remote pictures of an open message are measured. */
export const MEASURE_IDLE_MS = 3 * SECOND_MS;
