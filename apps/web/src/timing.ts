// Every length of time the web client waits, in milliseconds. No other literal duration may stand in a feature.
// Limits both ends must agree on live in @keyfold/contract; here is only what the browser decides. docs/spec-map.md 2, 4, 7, 9.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How often new mail is asked for while the tab is visible. docs/spec-map.md 9. */
export const POLL_INTERVAL_MS = 30 * SECOND_MS;
/** Pause before a server that gave no answer is asked again; doubled each time, up to the interval above. */
export const unansweredRetryMs = SECOND_MS;
/** Pause before a refused stream of events is asked for again; doubled each time, up to the longest. */
export const EVENTS_RETRY_MS = 5 * SECOND_MS;
export const EVENTS_RETRY_MAX_MS = 5 * MINUTE_MS;
/** Changes made elsewhere are gathered this long before lists are asked for again, and as rarely as this. */
export const CHANGES_GATHER_MS = 300;
export const CHANGES_PAUSE_MS = 2 * SECOND_MS;
/** After this long an operation lock counts as forgotten. docs/spec-map.md 4. */
export const OPERATION_LOCK_MS = 30 * SECOND_MS;
/** How long a plain toast stays. docs/spec-map.md 2.20. */
export const TOAST_MS = 3 * SECOND_MS;
/** How long a toast with an action stays: three seconds are too few to undo anything (WCAG 2.2.1). */
export const ACTION_TOAST_MS = 10 * SECOND_MS;
/** How long `z` still undoes after the toast is gone. */
export const UNDO_WINDOW_MS = 60 * SECOND_MS;
/** Pause after typing before the admin user search asks. docs/spec-map.md 9. */
export const SEARCH_DEBOUNCE_MS = 500;
/** Pause between an admin action and the refresh of its list. docs/spec-map.md 9. */
export const REFRESH_AFTER_ACTION_MS = 500;
/** How often the console's debug line looks at the age of its token. */
export const debugClockMs = SECOND_MS;
/** Pause between two looks for a code in what the camera sees. */
export const CAMERA_LOOK_MS = 150;
/** Pause between two looks for a payment that Stripe has not told of yet, and when one stops promising it soon. */
export const PAYMENT_POLL_MS = 2 * SECOND_MS;
export const PAYMENT_PATIENCE_MS = 90 * SECOND_MS;
/** Pause between two looks whether a share code on the screen was used. */
export const SHARE_CODE_POLL_MS = 5 * SECOND_MS;
/** A page that was to be left for another site is there again after this. */
export const LEAVING_MS = 10 * SECOND_MS;
/** Longest wait for one chunk of the program. docs/spec-map.md 7.03. */
export const CHUNK_TIMEOUT_MS = 120 * SECOND_MS;
/** Pauses before a part of the program whose connection broke is asked for again: another machine may be there. */
export const CHUNK_RETRY_DELAYS_MS = [300, 2 * SECOND_MS] as const;
/** Longest wait for one request in a browser. docs/spec-map.md 7.03. */
export const WEB_REQUEST_TIMEOUT_MS = 10 * SECOND_MS;
/** Longest wait for one request in the native shell. docs/spec-map.md 7.03. */
export const NATIVE_REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
/** Longest time a PST upload may make no progress. docs/spec-map.md 9. */
export const PST_UPLOAD_TIMEOUT_MS = 30 * SECOND_MS;
/** How long a CSRF token is kept. docs/spec-map.md 9. */
export const CSRF_LIFETIME_MS = 23 * HOUR_MS;
/** A CSRF token with less than this left is replaced. docs/spec-map.md 9. */
export const CSRF_REFRESH_BUFFER_MS = 5 * MINUTE_MS;
/** Pause between two tries of a call refused for its CSRF token. docs/spec-map.md 8. */
export const csrfRetryDelayMs = SECOND_MS;
/** An older kept session is cleared. docs/spec-map.md 9. */
export const AUTH_BACKUP_LIFETIME_MS = 30 * DAY_MS;
/** Validity of biometric credentials. docs/spec-map.md 9. */
export const BIOMETRIC_LIFETIME_MS = 7 * DAY_MS;
/** Validity of biometric credentials with a kept session. docs/spec-map.md 9. */
export const KEPT_BIOMETRIC_LIFETIME_MS = 30 * DAY_MS;
/** Pause before the session check is tried once more against the backup vault. docs/spec-map.md 4. */
export const SESSION_RETRY_DELAY_MS = 500;
/** A restore whose answer was lost is repeated under its key this long; the server knows it again as long. */
export const RESTORE_KEY_LIFETIME_MS = 60 * SECOND_MS;
/** Waits shorter than this show nothing at all, so that fast answers do not flicker. */
export const QUIET_WAIT_MS = 200;
/** After this the reader says that a message is being decrypted. */
export const slowOpenMs = SECOND_MS;
/** Longest wait for a PDF file to open or for one of its pages. */
export const PDF_WAIT_MS = 30 * SECOND_MS;
/** After this a list that could not be fetched is asked for again by itself. */
export const LIST_RETRY_MS = 20 * SECOND_MS;
/** Pause between two looks for the server while the program stands without one. */
export const ENTRY_RETRY_MS = 15 * SECOND_MS;
/** How long the document of a print is kept after its dialog was opened. */
export const printReleaseMs = MINUTE_MS;
/** After this the sign-in gate says that it takes longer than usual. */
export const SLOW_SIGNIN_MS = 10 * SECOND_MS;
/** Pause after typing before a draft is saved. */
export const DRAFT_IDLE_MS = 1_500;
/** A draft that is typed into without a pause is saved at least this often. */
export const DRAFT_MAX_WAIT_MS = 10 * SECOND_MS;
/** Pause before a draft that could not be saved is tried again. */
export const DRAFT_RETRY_MS = 5 * SECOND_MS;
/** Pause after typing before a sealed copy of a letter is kept on this device. */
export const LOCAL_COPY_MS = 400;
/** A letter that another tab holds is looked at again after this. */
export const heldDraftRetryMs = SECOND_MS;
/** After this long on the list the reading pane's chunk is fetched ahead of its use. */
export const READER_WARM_MS = 300;
/** After this long the composer's chunk is fetched ahead of its use. */
export const COMPOSER_WARM_MS = 2 * SECOND_MS;
/** Longest wait for the token of a phone's push service, which may have to ask its own servers. */
export const PUSH_TOKEN_WAIT_MS = 20 * SECOND_MS;
/** The service worker is registered this long after the page was opened: it fetches the whole program. */
export const SERVICE_WORKER_DELAY_MS = 5 * SECOND_MS;
/** Changes of the mailbox are gathered this long before notifications of what was read are taken away. */
export const pushGatherMs = SECOND_MS;
/** After this long letters that a lost tab left are looked for. */
export const draftsWarmMs = SECOND_MS;
/** Pause after typing before an address is checked. */
export const ADDRESS_CHECK_DEBOUNCE_MS = 400;
/** Longest pause between `g` and the letter that says where to go. */
export const GO_SEQUENCE_MS = 1_500;
/** Pause between two looks at a domain's records while its page is open. */
export const DOMAIN_POLL_MS = 30 * SECOND_MS;
/** How long "Copied" stays beside a copy button. */
export const COPIED_MS = 2 * SECOND_MS;
/** How often a countdown looks at the clock. */
export const COUNTDOWN_MS = 500;
/** How long a copied secret stays in the clipboard. */
export const CLIPBOARD_KEPT_MS = 60 * SECOND_MS;
/** Pause before a tooltip opens. */
export const TOOLTIP_DELAY_MS = 400;
/** The longest the main thread works at one thing before it looks for input again: half a frame. */
export const WORK_SLICE_MS = 8;
/** Pause after typing before a search is made. */
export const MAIL_SEARCH_DEBOUNCE_MS = 80;
/** After this long on the list the search worker starts, so that it never competes with the first list. */
export const SEARCH_WARM_MS = 3 * SECOND_MS;
/** Pause between two looks of the search worker for what other devices made. */
export const SEARCH_ROUND_MS = 30 * MINUTE_MS;
/** Changes of the mailbox are gathered this long before the search worker looks for mail that was not announced. */
export const SEARCH_CHANGES_MS = 60 * SECOND_MS;
/** Pause before the search worker tries again after a failure. */
export const SEARCH_RETRY_MS = 60 * SECOND_MS;
/** After the last page of a list was asked for, reading for the search index rests this long. */
export const SEARCH_AFTER_LIST_MS = 1_500;
/** Longest wait for a message that is attached to another one to be read; the worker that reads it is ended then. */
export const CONTAINER_TIMEOUT_MS = 20 * SECOND_MS;
/** The same while reading for the search index, which many others wait for. */
export const INDEXED_CONTAINER_MS = 10 * SECOND_MS;
/** After this long with nothing to read the worker that reads mail for the index is ended. */
export const READING_IDLE_MS = 5 * SECOND_MS;
/** How often the search worker compares all ids of the mailbox with its index. */
export const searchWholePassMs = DAY_MS;
/** Pause between two looks for segments to bring to the server while old mail is being indexed. */
export const SEARCH_PUSH_PAUSE_MS = 60 * SECOND_MS;
/** Pause before results are asked for again while the search index grows. */
export const searchRefreshMs = SECOND_MS;
/** After this long without another letter the texts of hits are read for their snippets. */
export const SEARCH_SNIPPET_MS = 400;
/** Pause after a change of what is shown before the hits of a search are marked anew. */
export const MARK_PAUSE_MS = 100;
/** The actions of a row appear when the mouse has rested on it this long. */
export const POINTED_AFTER_MS = 50;
/** A touch this long selects a row instead of opening it. */
export const LONG_PRESS_MS = 300;
/** How long a row or a list that a finger moved takes to come back to its place. */
export const GESTURE_RETURN_MS = 300;
/** How long a list that was pulled down waits for new mail at most. */
export const REFRESH_PATIENCE_MS = 10 * SECOND_MS;
/** Rows that were put aside are fetched again this long after a list was scrolled near them. */
export const LIST_WINDOW_PAUSE_MS = 100;
/** And this long after a failure. */
export const LIST_WINDOW_RETRY_MS = 5 * SECOND_MS;
/** How often one's own addresses are looked up in the key log. */
export const KEY_WATCH_ROUND_MS = 6 * 60 * MINUTE_MS;
/** Pause before the keys of recipients are asked for again when that failed. */
export const KEY_RETRY_MS = 10 * SECOND_MS;
/** The pause between two pages of old mail that is wrapped anew. */
export const REWRAP_PAUSE_MS = 100;
/** How long that work rests after somebody pressed something. */
export const REWRAP_REST_MS = 2 * SECOND_MS;
/** When it tries again after a failure. */
export const rewrapRetryMs = MINUTE_MS;
/** The pause before a call of an import that got no answer is made again, doubled each time up to the longest. */
export const importRetryMs = SECOND_MS;
export const IMPORT_RETRY_MAX_MS = 30 * SECOND_MS;
/** How often the server is asked how far an import that it runs is. */
export const SERVER_IMPORT_POLL_MS = 2 * SECOND_MS;
/** Longest wait for another tab to let go of an export. */
export const EXPORT_LOCK_MS = 2 * SECOND_MS;
/** How often an export says at most how it stands while it runs. */
export const EXPORT_TELL_MS = 200;
/** The pause before files that a worker had open are removed once more after signing out. */
export const FORGET_RETRY_MS = 100;
/** How long what closed a layer may take to go to another page, before the layer's entry in the history is left. */
export const LAYER_LEFT_MS = 400;
/** How long somebody pauses in an address before it is asked whether it is free. */
export const ADDRESS_PAUSE_MS = 400;
/** How long a message that was just opened is kept in view while its body comes. */
export const OPENED_GROWTH_MS = 3 * SECOND_MS;
/** Longest wait for an idle moment before the remote pictures of an open message are measured. */
export const MEASURE_IDLE_MS = 3 * SECOND_MS;
