// The pages of the settings by name, each a chunk of its own. Apart from the route table, which everybody waits for: the names
// of all these chunks are no part of the first load.
import { screen } from '../../lib/route-screen.ts';

export const settingsScreens = {
  AccountPage: screen('account', 'AccountPage', () => import('./AccountPage.tsx')),
  ExportPage: screen('export-page', 'ExportPage', () => import('../export/ExportPage.tsx')),
  SubscriptionPage: screen(
    'subscription',
    'SubscriptionPage',
    () => import('../billing/SubscriptionPage.tsx'),
  ),
  AppearancePage: screen('appearance', 'AppearancePage', () => import('./AppearancePage.tsx')),
  ShortcutsPage: screen('shortcuts', 'ShortcutsPage', () => import('./ShortcutsPage.tsx')),
  NotificationsPage: screen(
    'notifications',
    'NotificationsPage',
    () => import('../notifications/NotificationsPage.tsx'),
  ),
  DevicePage: screen('device', 'DevicePage', () => import('../device/DevicePage.tsx')),
  AddressesPage: screen('addresses', 'AddressesPage', () => import('../addresses/AddressesPage.tsx')),
  DomainsPage: screen('domains', 'DomainsPage', () => import('../domains/DomainsPage.tsx')),
  DomainPage: screen('domain', 'DomainPage', () => import('../domains/DomainPage.tsx')),
  OrganizationPage: screen(
    'organisation',
    'OrganizationPage',
    () => import('../organization/OrganizationPage.tsx'),
  ),
  TagsPage: screen('tags', 'TagsPage', () => import('../tags/TagsPage.tsx')),
  RulesPage: screen('rules', 'RulesPage', () => import('../rules/RulesPage.tsx')),
  ContactsPage: screen('contacts-page', 'ContactsPage', () => import('../contacts/ContactsPage.tsx')),
  ImportPage: screen('import', 'ImportPage', () => import('../import/ImportPage.tsx')),
  SignaturesPage: screen('signatures', 'SignaturesPage', () => import('../signatures/SignaturesPage.tsx')),
  TemplatesPage: screen('templates', 'TemplatesPage', () => import('../signatures/TemplatesPage.tsx')),
} as const;
