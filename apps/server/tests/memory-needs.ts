/**
 * The memory that a process of each role may come to need: what it has under steady load, and all that its budgets let in at one
 * time, as often as it is held. What deploy/ gives must be no less, or mail of the largest kind ends the process. docs/operations.md,
 * Memory, says how the factors were found.
 */

import {
  OUTGOING_MAX_BYTES,
  PST_PROCESS_MAX_BYTES,
  REPORT_HEAP_MAX_MB,
  REPORTS_WAITING_MAX_BYTES,
} from '../src/base/limits.ts';
import { DELIVERIES_AT_ONCE } from '../src/features/outbound/delivery/worker.ts';
import { BODIES_MAX_BYTES } from '../src/http/body-budget.ts';
import { IN_FLIGHT_MAX_BYTES } from '../src/smtp/inbound/limits.ts';

const MIB = 1024 * 1024;
/** A process under steady load. */
const BASE_BYTES = 300 * MIB;
/** A body as it came, as text, its fields, and what is stored of them; 2.9 measured. */
const BODY_COPIES = 3;
/** A mail as it came, taken apart, sealed, and on its way to the database; 4.0 measured, with one thread that seals. */
const MAIL_COPIES = 5;
/** A mail that goes out: sealed, as it lies in the queue, and open. */
const OUTGOING_COPIES = 2;

/** Bytes, by role. */
export const MEMORY_NEEDS: Readonly<Record<string, number>> = {
  http: BASE_BYTES + BODY_COPIES * BODIES_MAX_BYTES,
  smtp: BASE_BYTES + MAIL_COPIES * IN_FLIGHT_MAX_BYTES + REPORTS_WAITING_MAX_BYTES + REPORT_HEAP_MAX_MB * MIB,
  worker: BASE_BYTES + OUTGOING_COPIES * DELIVERIES_AT_ONCE * OUTGOING_MAX_BYTES + PST_PROCESS_MAX_BYTES,
};
