/**
 * The calls of the settings: account, addresses, domains, contacts. Apart from mailbox.ts, so that no list waits for them.
 */
import { account } from './account.ts';
import { addresses } from './addresses.ts';
import { contacts } from './contacts.ts';
import { domains } from './domains.ts';

export const settingsApi = { account, addresses, contacts, domains } as const;
