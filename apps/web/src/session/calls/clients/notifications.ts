import { notificationsCalls } from '@keyfold/contract/calls/notifications';
import { clientOf } from '../client.ts';

export const notificationsClient = clientOf(notificationsCalls);
