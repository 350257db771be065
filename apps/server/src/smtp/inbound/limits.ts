/**
 * Limits of the SMTP listener, per peer and for all peers together. RFC 5321 §4.5.3 specifies
 * minimums; everything here is at or above them.
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const MIB = 1024 * 1024;

/**
 * Recipients of one message; further ones get 452 and follow in a second transaction. RFC 5321
 * §4.5.3.1.8.
 */
export const RECIPIENTS_MAX = 100;
/**
 * Refused recipients after which a connection is closed, because the client is guessing addresses.
 */
export const REFUSED_RECIPIENTS_MAX = 50;
/** The same per network (IPv6: one /64) within an hour, across its connections. */
export const REFUSED_PER_NETWORK_MAX = 500;
/**
 * Refused recipients tolerated in a session whose network exceeds that limit: a message to many
 * recipients may contain a typo.
 */
export const REFUSED_FORGIVEN_MAX = 3;
/** Networks counted at a time; beyond that the oldest are evicted. */
export const NETWORKS_COUNTED_MAX = 100_000;
/**
 * Maximum size of a message's header section, in bytes; a larger one is refused. No real message
 * comes near.
 */
export const HEADER_MAX_BYTES = MIB;
/**
 * Bytes of all messages being received and sealed at once; beyond that, senders are asked to retry.
 */
export const IN_FLIGHT_MAX_BYTES = 256 * MIB;
/**
 * Additional memory of a forwarded message, as a multiple of its size and within the same limit:
 * the outgoing form, the form sealed for the queue, and the one on its way to the database.
 */
export const ONWARD_COPIES = 3;
/** Concurrent connections, in total and per address (IPv6: one /64). */
export const CONNECTIONS_MAX = 2000;
export const CONNECTIONS_PER_ADDRESS_MAX = 100;
/**
 * Concurrent connections per site: a /24 of IPv4, a /48 of IPv6. Large senders have dozens of
 * adjacent addresses.
 */
export const CONNECTIONS_PER_SITE_MAX = 500;
/** Time without progress after which a connection can be replaced when there are too many. */
export const STALE_MS = 10 * SECOND_MS;
/** Time after which a silent client is disconnected. RFC 5321 §4.5.3.2.7. */
export const IDLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** Time within which a message must arrive. */
export const DATA_TIMEOUT_MS = 20 * MINUTE_MS;
/**
 * How long a shutdown waits for messages in transfer; main.ts ends the process 10 s after a signal.
 */
export const CLOSE_TIMEOUT_MS = 8 * SECOND_MS;
/** Bytes of DATA that count as progress of a connection. */
export const PROGRESS_BYTES = 64 * 1024;
/**
 * Interval of the check for another certificate; it is used once two consecutive checks have found
 * it.
 */
export const CERTIFICATE_LOOK_MS = MINUTE_MS;
