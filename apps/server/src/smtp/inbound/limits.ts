/**
 * The numbers of the SMTP listener: how much one peer, and all of them together, may ask of us. RFC 5321 §4.5.3 names
 * what a server must bear; everything here is at or above that.
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIB = 1024 * 1024;

/** Recipients of one message; further ones get 452 and come in a second transaction. RFC 5321 §4.5.3.1.8. */
export const RECIPIENTS_MAX = 100;
/** Refused recipients after which a connection is closed: somebody is guessing names. */
export const REFUSED_RECIPIENTS_MAX = 50;
/** The same of one network (IPv6: one /64) within an hour, whatever its connections. */
export const REFUSED_PER_NETWORK_MAX = 500;
/** Refused recipients of a session whose network is beyond that which end nothing: a mail to many may have a typing error. */
export const REFUSED_FORGIVEN_MAX = 3;
/** Networks that are counted at one time; beyond them the ones counted first are forgotten. */
export const NETWORKS_COUNTED_MAX = 100_000;
/** Bytes of a message's header section; a larger one is refused. No real mail comes near. */
export const HEADER_MAX_BYTES = MIB;
/** Bytes of all messages being received and sealed at once; beyond it senders are asked to come back. */
export const IN_FLIGHT_MAX_BYTES = 256 * MIB;
/**
 * Times its size that a message which goes on to somewhere else takes besides, within the same bound: as it goes out, sealed for
 * the queue, and on its way to the database.
 */
export const ONWARD_COPIES = 3;
/** Connections at once, and from one address (IPv6: one /64). */
export const CONNECTIONS_MAX = 2000;
export const CONNECTIONS_PER_ADDRESS_MAX = 100;
/** And from one site: a /24 of IPv4, a /48 of IPv6. Large senders have dozens of addresses side by side. */
export const CONNECTIONS_PER_SITE_MAX = 500;
/** A connection that got nothing done for this long gives way when there are too many. */
export const STALE_MS = 10 * SECOND_MS;
/** A client that sends nothing is hung up on. RFC 5321 §4.5.3.2.7. */
export const IDLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** A message has to be here within this time. */
export const DATA_TIMEOUT_MS = 20 * MINUTE_MS;
/** How long a stop waits for messages that are under way; main.ts ends the process 10 s after a signal. */
export const CLOSE_TIMEOUT_MS = 8 * SECOND_MS;
/** Bytes of DATA that count as progress of a connection. */
export const PROGRESS_BYTES = 64 * 1024;
/** How often is looked for another certificate; one is used when two looks in a row found it. */
export const CERTIFICATE_LOOK_MS = MINUTE_MS;
/** The log says once a day that the certificate in use ends within this time. */
export const CERTIFICATE_ENDS_SOON_MS = 7 * DAY_MS;
export const CERTIFICATE_REMIND_MS = DAY_MS;
