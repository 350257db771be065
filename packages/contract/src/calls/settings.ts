/**
 * The calls of the settings: account, second factor, addresses, domains, contacts, security settings, subscription. Apart from mailbox.ts,
 * so that no list waits for them.
 */
import { account } from './account.ts';
import { addresses } from './addresses.ts';
import { billing } from './billing.ts';
import { contacts } from './contacts.ts';
import { domains } from './domains.ts';
import { key_rotation } from './key-rotation.ts';
import { organizationCalls as organization } from './organization.ts';
import { otp, second_factor } from './second-factor.ts';
import { security } from './security.ts';

export const settingsApi = {
  account,
  addresses,
  billing,
  contacts,
  domains,
  key_rotation,
  organization,
  otp,
  second_factor,
  security,
} as const;
