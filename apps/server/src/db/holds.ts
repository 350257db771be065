/**
 * How a row of the outbound queue says that it waits for the end of a hold. Here and not in a feature, since two of them ask: delivery
 * puts such rows off, send-watch lets them go on.
 */
import { type SqlBool, sql } from 'kysely';

/** RFC 3463 status of what waits for the end of a hold. A server may give it too, but not without a reply code. */
export const HELD_STATUS = '4.7.1';

/** Whether a row of outbound_recipients waits for the end of a hold; never null. */
export const isHeld = sql<SqlBool>`(outbound_recipients.last_status is not distinct from ${HELD_STATUS}
  and outbound_recipients.last_code is null)`;
