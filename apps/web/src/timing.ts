// Every length of time the web client waits, in milliseconds. No other literal duration may stand in a feature.
// Limits both ends must agree on live in @keyfold/contract; here is only what the browser decides. docs/spec-map.md 2, 4, 7, 9.

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How often new mail is asked for while the tab is visible. docs/spec-map.md 9. */
export const pollIntervalMs = 30 * secondMs;
/** Pause before a server that gave no answer is asked again; doubled each time, up to the interval above. */
export const unansweredRetryMs = secondMs;
/** Pause before a refused stream of events is asked for again; doubled each time, up to the longest. */
export const eventsRetryMs = 5 * secondMs;
export const eventsRetryMaxMs = 5 * minuteMs;
/** Changes made elsewhere are gathered this long before lists are asked for again, and as rarely as this. */
export const changesGatherMs = 300;
export const changesPauseMs = 2 * secondMs;
/** After this long an operation lock counts as forgotten. docs/spec-map.md 4. */
export const operationLockMs = 30 * secondMs;
/** How long a plain toast stays. docs/spec-map.md 2.20. */
export const toastMs = 3 * secondMs;
/** How long a toast with an action stays: three seconds are too few to undo anything (WCAG 2.2.1). */
export const actionToastMs = 10 * secondMs;
/** How long `z` still undoes after the toast is gone. */
export const undoWindowMs = 60 * secondMs;
/** Pause after typing before the admin user search asks. docs/spec-map.md 9. */
export const searchDebounceMs = 500;
/** Pause between an admin action and the refresh of its list. docs/spec-map.md 9. */
export const refreshAfterActionMs = 500;
/** How often the console's debug line looks at the age of its token. */
export const debugClockMs = secondMs;
/** Pause between two looks for a code in what the camera sees. */
export const cameraLookMs = 150;
/** Pause between two looks for a payment that Stripe has not told of yet, and when one stops promising it soon. */
export const paymentPollMs = 2 * secondMs;
export const paymentPatienceMs = 90 * secondMs;
/** Pause between two looks whether a share code on the screen was used. */
export const shareCodePollMs = 5 * secondMs;
/** A page that was to be left for another site is there again after this. */
export const leavingMs = 10 * secondMs;
/** Longest wait for one chunk of the program. docs/spec-map.md 7.03. */
export const chunkTimeoutMs = 120 * secondMs;
/** Pauses before a part of the program whose connection broke is asked for again: another machine may be there. */
export const chunkRetryDelaysMs = [300, 2 * secondMs] as const;
/** Longest wait for one request in a browser. docs/spec-map.md 7.03. */
export const webRequestTimeoutMs = 10 * secondMs;
/** Longest wait for one request in the native shell. docs/spec-map.md 7.03. */
export const nativeRequestTimeoutMs = 30 * secondMs;
/** Longest time a PST upload may make no progress. docs/spec-map.md 9. */
export const pstUploadTimeoutMs = 30 * secondMs;
/** How long a CSRF token is kept. docs/spec-map.md 9. */
export const csrfLifetimeMs = 23 * hourMs;
/** A CSRF token with less than this left is replaced. docs/spec-map.md 9. */
export const csrfRefreshBufferMs = 5 * minuteMs;
/** Pause between two tries of a call refused for its CSRF token. docs/spec-map.md 8. */
export const csrfRetryDelayMs = secondMs;
/** An older kept session is cleared. docs/spec-map.md 9. */
export const authBackupLifetimeMs = 30 * dayMs;
/** Validity of biometric credentials. docs/spec-map.md 9. */
export const biometricLifetimeMs = 7 * dayMs;
/** Validity of biometric credentials with a kept session. docs/spec-map.md 9. */
export const keptBiometricLifetimeMs = 30 * dayMs;
/** Pause before the session check is tried once more against the backup vault. docs/spec-map.md 4. */
export const sessionRetryDelayMs = 500;
/** A restore whose answer was lost is repeated under its key this long; the server knows it again as long. */
export const restoreKeyLifetimeMs = 60 * secondMs;
/** Waits shorter than this show nothing at all, so that fast answers do not flicker. */
export const quietWaitMs = 200;
/** After this the reader says that a message is being decrypted. */
export const slowOpenMs = secondMs;
/** Longest wait for a PDF file to open or for one of its pages. */
export const pdfWaitMs = 30 * secondMs;
/** After this a list that could not be fetched is asked for again by itself. */
export const listRetryMs = 20 * secondMs;
/** Pause between two looks for the server while the program stands without one. */
export const entryRetryMs = 15 * secondMs;
/** How long the document of a print is kept after its dialog was opened. */
export const printReleaseMs = minuteMs;
/** After this the sign-in gate says that it takes longer than usual. */
export const slowSigninMs = 10 * secondMs;
/** Pause after typing before a draft is saved. */
export const draftIdleMs = 1_500;
/** A draft that is typed into without a pause is saved at least this often. */
export const draftMaxWaitMs = 10 * secondMs;
/** Pause before a draft that could not be saved is tried again. */
export const draftRetryMs = 5 * secondMs;
/** Pause after typing before a sealed copy of a letter is kept on this device. */
export const localCopyMs = 400;
/** A letter that another tab holds is looked at again after this. */
export const heldLetterRetryMs = secondMs;
/** After this long on the list the reading pane's chunk is fetched ahead of its use. */
export const readerWarmMs = 300;
/** After this long the composer's chunk is fetched ahead of its use. */
export const composerWarmMs = 2 * secondMs;
/** Longest wait for the token of a phone's push service, which may have to ask its own servers. */
export const pushTokenWaitMs = 20 * secondMs;
/** The service worker is registered this long after the page was opened: it fetches the whole program. */
export const serviceWorkerDelayMs = 5 * secondMs;
/** Changes of the mailbox are gathered this long before notifications of what was read are taken away. */
export const pushGatherMs = secondMs;
/** After this long letters that a lost tab left are looked for. */
export const lettersWarmMs = secondMs;
/** Pause after typing before an address is checked. */
export const addressCheckDebounceMs = 400;
/** Longest pause between `g` and the letter that says where to go. */
export const goSequenceMs = 1_500;
/** Pause between two looks at a domain's records while its page is open. */
export const domainPollMs = 30 * secondMs;
/** How long "Copied" stays beside a copy button. */
export const copiedMs = 2 * secondMs;
/** How often a countdown looks at the clock. */
export const countdownMs = 500;
/** How long a copied secret stays in the clipboard. */
export const clipboardKeptMs = 60 * secondMs;
/** Pause before a tooltip opens. */
export const tooltipDelayMs = 400;
/** The longest the main thread works at one thing before it looks for input again: half a frame. */
export const workSliceMs = 8;
/** Pause after typing before a search is made. */
export const mailSearchDebounceMs = 80;
/** After this long on the list the search worker starts, so that it never competes with the first list. */
export const searchWarmMs = 3 * secondMs;
/** Pause between two looks of the search worker for what other devices made. */
export const searchRoundMs = 30 * minuteMs;
/** Changes of the mailbox are gathered this long before the search worker looks for mail that was not announced. */
export const searchChangesMs = 60 * secondMs;
/** Pause before the search worker tries again after a failure. */
export const searchRetryMs = 60 * secondMs;
/** After the last page of a list was asked for, reading for the search index rests this long. */
export const searchAfterListMs = 1_500;
/** Longest wait for a message that is attached to another one to be read; the worker that reads it is ended then. */
export const containerTimeoutMs = 20 * secondMs;
/** The same while reading for the search index, which many others wait for. */
export const indexedContainerMs = 10 * secondMs;
/** After this long with nothing to read the worker that reads mail for the index is ended. */
export const readingIdleMs = 5 * secondMs;
/** How often the search worker compares all ids of the mailbox with its index. */
export const searchWholePassMs = dayMs;
/** Pause between two looks for segments to bring to the server while old mail is being indexed. */
export const searchPushPauseMs = 60 * secondMs;
/** Pause before results are asked for again while the search index grows. */
export const searchRefreshMs = secondMs;
/** After this long without another letter the texts of hits are read for their snippets. */
export const searchSnippetMs = 400;
/** Pause after a change of what is shown before the hits of a search are marked anew. */
export const markPauseMs = 100;
/** The actions of a row appear when the mouse has rested on it this long. */
export const pointedAfterMs = 50;
/** A touch this long selects a row instead of opening it. */
export const longPressMs = 300;
/** How long a row or a list that a finger moved takes to come back to its place. */
export const gestureReturnMs = 300;
/** How long a list that was pulled down waits for new mail at most. */
export const refreshPatienceMs = 10 * secondMs;
/** Rows that were put aside are fetched again this long after a list was scrolled near them. */
export const listWindowPauseMs = 100;
/** And this long after a failure. */
export const listWindowRetryMs = 5 * secondMs;
/** How often one's own addresses are looked up in the key log. */
export const keyWatchRoundMs = 6 * 60 * minuteMs;
/** Pause before the keys of recipients are asked for again when that failed. */
export const keyRetryMs = 10 * secondMs;
/** The pause between two pages of old mail that is wrapped anew. */
export const rewrapPauseMs = 100;
/** How long that work rests after somebody pressed something. */
export const rewrapRestMs = 2 * secondMs;
/** When it tries again after a failure. */
export const rewrapRetryMs = minuteMs;
/** The pause before a call of an import that got no answer is made again, doubled each time up to the longest. */
export const importRetryMs = secondMs;
export const importRetryMaxMs = 30 * secondMs;
/** How often the server is asked how far an import that it runs is. */
export const serverImportPollMs = 2 * secondMs;
/** Longest wait for another tab to let go of an export. */
export const exportLockMs = 2 * secondMs;
/** How often an export says at most how it stands while it runs. */
export const exportTellMs = 200;
/** The pause before files that a worker had open are removed once more after signing out. */
export const forgetRetryMs = 100;
/** How long what closed a layer may take to go to another page, before the layer's entry in the history is left. */
export const layerLeftMs = 400;
/** How long somebody pauses in an address before it is asked whether it is free. */
export const addressPauseMs = 400;
/** How long a message that was just opened is kept in view while its body comes. */
export const openedGrowthMs = 3 * secondMs;
/** Longest wait for an idle moment before the remote pictures of an open message are measured. */
export const measureIdleMs = 3 * secondMs;
