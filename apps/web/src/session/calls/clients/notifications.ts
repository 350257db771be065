/**
 * Typed client for calls/notifications.ts of the contract, shared by the modules that make these
 * calls.
 */
import { notificationsCalls } from '@keyfold/contract/calls/notifications';
import { clientOf } from '../client.ts';

export const notificationsClient = clientOf(notificationsCalls);
