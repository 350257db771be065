/**
 * IDs are UUIDs in the database and opaque text on the wire. Text that is not a UUID cannot match a
 * row and must not reach a statement, because PostgreSQL would report an error instead of returning
 * no row.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether a text is an ID in the single spelling that the server issues. */
export const isUuid = (text: string): boolean => UUID.test(text);
