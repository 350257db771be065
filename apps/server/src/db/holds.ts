/**
 * How a row of the outbound queue records that it waits for the end of a hold. Shared by two
 * features: delivery postpones such rows, and send-watch releases them.
 */
import { type SqlBool, sql } from 'kysely';

/**
 * RFC 3463 status of rows that wait for the end of a hold. A remote server may also report it, but
 * only with a reply code.
 */
export const HELD_STATUS = '4.7.1';

/** Whether a row of outbound_recipients waits for the end of a hold; never null. */
export const isHeld = sql<SqlBool>`(outbound_recipients.last_status is not distinct from ${HELD_STATUS}
  and outbound_recipients.last_code is null)`;
