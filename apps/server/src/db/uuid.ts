/**
 * Ids are UUIDs in the database and opaque text on the wire. A text that is no UUID names nothing, and must not reach a
 * statement: PostgreSQL would answer with an error instead of no row.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is an id in the one spelling that the server gives out. */
export const isUuid = (text: string): boolean => UUID.test(text);
