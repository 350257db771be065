// The typed client of the calls about push; its contract is fetched with what uses them.
import { notificationsApi } from '@keyfold/contract/notifications';
import { clientOf } from './client.ts';

export const notificationsClient = clientOf(notificationsApi).notifications;
