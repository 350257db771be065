/**
 * Maximum memory of a process by role: its use under steady load, plus everything that its budgets
 * admit at one time, multiplied by the number of copies held. The limits in deploy/ must not be
 * lower, or the largest messages kill the process. docs/operations.md, Memory, explains how the
 * factors were measured.
 */

import { PST_PROCESS_MAX_BYTES } from '../src/base/import-limits.ts';
import { REPORT_HEAP_MAX_MB, REPORTS_WAITING_MAX_BYTES } from '../src/base/limits.ts';
import { OUTGOING_MAX_BYTES } from '../src/base/sending-limits.ts';
import { DELIVERIES_AT_ONCE } from '../src/features/outbound/delivery/worker.ts';
import { BODIES_MAX_BYTES } from '../src/http/body-budget.ts';
import { IN_FLIGHT_MAX_BYTES } from '../src/smtp/inbound/limits.ts';

const MIB = 1024 * 1024;
/** A process under steady load. */
const BASE_BYTES = 300 * MIB;
/** A body as received, as text, its fields, and the stored values; 2.9 measured. */
const BODY_COPIES = 3;
/**
 * A message as received, parsed, encrypted, and on its way to the database; 4.0 measured, with one
 * encryption thread.
 */
const MAIL_COPIES = 5;
/** An outgoing message: encrypted, as stored in the queue, and decrypted. */
const OUTGOING_COPIES = 2;

/** Bytes, by role. */
export const MEMORY_NEEDS: Readonly<Record<string, number>> = {
  http: BASE_BYTES + BODY_COPIES * BODIES_MAX_BYTES,
  smtp: BASE_BYTES + MAIL_COPIES * IN_FLIGHT_MAX_BYTES + REPORTS_WAITING_MAX_BYTES + REPORT_HEAP_MAX_MB * MIB,
  worker: BASE_BYTES + OUTGOING_COPIES * DELIVERIES_AT_ONCE * OUTGOING_MAX_BYTES + PST_PROCESS_MAX_BYTES,
};
