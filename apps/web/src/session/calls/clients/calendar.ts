import { calendarCalls } from '@keyfold/contract/calls/calendar';
import { clientOf } from '../client.ts';

export const calendarClient = clientOf(calendarCalls);
