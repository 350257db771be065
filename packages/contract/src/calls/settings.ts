/**
 * The calls of the settings: account, second factor, addresses, domains, contacts, security settings, subscription. Apart from mailbox.ts,
 * so that no list waits for them.
 */
import { account } from './account.ts';
import { addresses } from './addresses.ts';
import { stripe } from './billing.ts';
import { contacts } from './contacts.ts';
import { domains } from './domains.ts';
import { organizationCalls as organization } from './organization.ts';
import { own_keys } from './own-keys.ts';
import { otp, second_factor } from './second-factor.ts';
import { security } from './security.ts';

export const settingsApi = {
  account,
  addresses,
  contacts,
  domains,
  organization,
  otp,
  own_keys,
  second_factor,
  security,
  stripe,
} as const;
