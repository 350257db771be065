/**
 * The calls of the settings: account, addresses, domains, contacts, security analytics. Apart from mailbox.ts, so that no
 * list waits for them.
 */
import { account } from './account.ts';
import { addresses } from './addresses.ts';
import { analytics } from './analytics.ts';
import { contacts } from './contacts.ts';
import { domains } from './domains.ts';

export const settingsApi = { account, addresses, analytics, contacts, domains } as const;
