// The pages of the settings by name, each a chunk of its own. Apart from the route table, which everybody waits for: the names
// of all these chunks are no part of the first load.
import { screen } from '../../lib/route-screen.ts';

export const settingsScreens = {
  AccountPage: screen('account', 'AccountPage', () => import('./AccountPage.tsx')),
  ExportPage: screen('export-page', 'ExportPage', () => import('./ExportPage.tsx')),
  SubscriptionPage: screen('subscription', 'SubscriptionPage', () => import('./SubscriptionPage.tsx')),
  AppearancePage: screen('appearance', 'AppearancePage', () => import('./AppearancePage.tsx')),
  ShortcutsPage: screen('shortcuts', 'ShortcutsPage', () => import('./ShortcutsPage.tsx')),
  NotificationsPage: screen('notifications', 'NotificationsPage', () => import('./NotificationsPage.tsx')),
  DevicePage: screen('device', 'DevicePage', () => import('./DevicePage.tsx')),
  AddressesPage: screen('addresses', 'AddressesPage', () => import('./AddressesPage.tsx')),
  DomainsPage: screen('domains', 'DomainsPage', () => import('./DomainsPage.tsx')),
  DomainPage: screen('domain', 'DomainPage', () => import('./DomainPage.tsx')),
  OrganisationPage: screen('organisation', 'OrganisationPage', () => import('./OrganisationPage.tsx')),
  TagsPage: screen('tags', 'TagsPage', () => import('./TagsPage.tsx')),
  RulesPage: screen('rules', 'RulesPage', () => import('./RulesPage.tsx')),
  ContactsPage: screen('contacts-page', 'ContactsPage', () => import('./ContactsPage.tsx')),
  ImportPage: screen('import', 'ImportPage', () => import('./ImportPage.tsx')),
  SignaturesPage: screen('signatures', 'SignaturesPage', () => import('./SignaturesPage.tsx')),
  TemplatesPage: screen('templates', 'TemplatesPage', () => import('./TemplatesPage.tsx')),
} as const;
