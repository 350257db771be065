/** The limits of imports: of files that the server reads, and of mailboxes at other providers. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/**
 * Time after which an import's blob that no message uses is forgotten, well before it is deleted.
 */
export const IMPORT_CONTAINER_KEPT_MS = 12 * HOUR_MS;
/**
 * Maximum number of one user's pending import blobs, and the minimum number of bytes that each
 * counts toward the limit for pending blobs.
 */
export const IMPORT_CONTAINERS_MAX = 5_000;
export const IMPORT_CONTAINER_COUNTED_BYTES = 4096;
/** Maximum batches of one user's imports that a process stores concurrently. */
export const IMPORT_BATCHES_PER_USER = 2;
/** Maximum size of a PST file that the server reads; larger files are read in the browser. */
export const PST_FILE_MAX_BYTES = 20 * GIB;
/** How many times larger than its owner's free storage a file may be: much of a PST is not mail. */
export const PST_FILE_PER_FREE_BYTE = 2;
/** Time without a heartbeat after which a PST upload counts as ended, so that another may begin. */
export const PST_UPLOAD_LEASE_MS = 3 * MINUTE_MS;
/** Interval at which an upload sends a heartbeat and checks for free disk space. */
export const PST_UPLOAD_NOTED_MS = 15_000;
/** Disk space that PST files never use, in bytes, reserved for incoming mail. */
export const DISK_RESERVE_BYTES = 2 * GIB;
/** Time without a heartbeat after which another process takes over an import. */
export const PST_LEASE_MS = 3 * MINUTE_MS;
/** How long one file is read while others wait; it then moves to the back of the queue. */
export const PST_TURN_MS = 5 * MINUTE_MS;
/** Total time a process may spend on one file: a base, plus an amount per GiB. */
export const PST_READING_MS = 2 * HOUR_MS;
export const PST_READING_PER_GIB_MS = HOUR_MS;
/** Delay before a file that the bucket did not return is requested again. */
export const PST_STORE_AWAY_MS = MINUTE_MS;
/** Interval for checking an import of a suspended user again. */
export const PST_SUSPENDED_MS = HOUR_MS;
/** Time after which an unread item of a PST is skipped. */
export const PST_ITEM_TIMEOUT_MS = MINUTE_MS;
/** How often a reader process may crash before its file is given up. */
export const PST_DEATHS_MAX = 20;
/** Memory of a reader process: heap in MB, and total in bytes. */
export const PST_HEAP_MAX_MB = 256;
export const PST_PROCESS_MAX_BYTES = 512 * MIB;
/** Maximum unreadable items whose position in the file is reported. */
export const PST_ERRORS_KEPT = 100;
/** How long the result of an import is shown. */
export const SERVER_IMPORT_KEPT_MS = 30 * DAY_MS;
/** Concurrent IMAP imports per process; they spend most of their time waiting for other servers. */
export const IMAP_LANES = 2;
/**
 * Time limit for inspecting a mailbox before its import: connecting, signing in and listing
 * folders.
 */
export const IMAP_LOOK_MS = 2 * MINUTE_MS;
/** How long a connection lasts after its credentials have been decrypted once. */
export const IMAP_TURN_MS = 5 * MINUTE_MS;
/** Maximum duration of an import since its request; its credentials are then deleted. */
export const IMAP_IMPORT_MS = 7 * DAY_MS;
/**
 * Timeouts for connecting, the greeting and silence; for a response to a command; and for fetching
 * messages.
 */
export const IMAP_CONNECT_MS = 20_000;
export const IMAP_COMMAND_MS = MINUTE_MS;
export const IMAP_FETCH_MS = 2 * MINUTE_MS;
/** Time limit for counting the messages of all folders. */
export const IMAP_COUNTING_MS = 30_000;
/** Maximum line length of a response: all UIDs of a folder are on one line. */
export const IMAP_LINE_MAX_BYTES = 16 * MIB;
/**
 * Maximum size of a response without message content, such as the list of folders, or sizes and
 * flags of some messages.
 */
export const IMAP_ANSWER_MAX_BYTES = 20 * MIB;
/**
 * Messages whose sizes and flags are requested at once, and messages that are fetched at once, with
 * their total bytes.
 */
export const IMAP_MEASURED_AT_ONCE = 200;
export const IMAP_FETCHED_AT_ONCE = 20;
export const IMAP_FETCHED_AT_ONCE_BYTES = 8 * MIB;
/** Maximum messages per import. */
export const IMAP_MESSAGES_MAX = 2_000_000;
/**
 * Number of consecutive interruptions without a message after which the next message is skipped.
 */
export const IMAP_BREAKS_PER_MESSAGE = 3;
/** Number of consecutive failures to open the mailbox after which the import ends. */
export const IMAP_BREAKS_MAX = 9;
/** Wait after the first interruption, doubled after each further one, up to the maximum. */
export const IMAP_WAIT_MS = MINUTE_MS;
export const IMAP_WAIT_MAX_MS = HOUR_MS;
