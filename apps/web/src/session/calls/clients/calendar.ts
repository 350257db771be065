/**
 * Typed client for calls/calendar.ts of the contract, shared by the modules that make these calls.
 */
import { calendarCalls } from '@keyfold/contract/calls/calendar';
import { clientOf } from '../client.ts';

export const calendarClient = clientOf(calendarCalls);
