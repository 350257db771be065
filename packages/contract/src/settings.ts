/**
 * The calls of the settings: account, addresses, domains, contacts, security settings. Apart from mailbox.ts, so that no
 * list waits for them.
 */
import { account } from './account.ts';
import { addresses } from './addresses.ts';
import { contacts } from './contacts.ts';
import { domains } from './domains.ts';
import { own_keys } from './own-keys.ts';
import { security } from './security.ts';

export const settingsApi = { account, addresses, contacts, domains, own_keys, security } as const;
