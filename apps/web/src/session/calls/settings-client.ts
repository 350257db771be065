// The typed client of the calls that only settings make; its contract is fetched with them.
import { settingsApi } from '@keyfold/contract/settings';
import { clientOf } from './client.ts';

export const settingsClient = clientOf(settingsApi);
