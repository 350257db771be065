/**
 * The pages of the settings and the security area, one entry each, in menu order. The menus, the
 * routes and the palette all read this table, so a new page needs only its file and an entry here.
 * Every page is a separate chunk. The table names all pages, so it is not part of the first load.
 */
import {
  AtSign,
  Bell,
  Building2,
  ChartColumn,
  CircleUser,
  CreditCard,
  FileArchive,
  FileKey2,
  FileText,
  Globe,
  Keyboard,
  KeyRound,
  LifeBuoy,
  ListFilter,
  type LucideIcon,
  MonitorSmartphone,
  Palette,
  PenLine,
  ShieldBan,
  ShieldCheck,
  Smartphone,
  Tag,
  Users,
} from 'lucide-react';
import { term } from '../../lib/language.ts';
import { screen } from '../../lib/route-screen.ts';
import { accountPath, securityPath, settingsPath } from '../../paths.ts';

type Screen = ReturnType<typeof screen>;

/** A page as menus show it, with English texts. */
export type ListedPage = {
  readonly path: string;
  readonly title: string;
  /** Label texts on the page, for the search. */
  readonly words?: readonly string[];
  readonly Icon: LucideIcon;
};

/** A page as it is registered. */
export type SettingsPage = ListedPage & {
  /** Loads the page's chunk. */
  readonly screen: Screen;
  /** Pages below it that no menu lists, keyed by the rest of their path. */
  readonly below?: Readonly<Record<string, Screen>>;
};

/** Pages that are listed under one heading. */
export type PageGroup<Page extends ListedPage = ListedPage> = {
  readonly label: string;
  readonly pages: readonly Page[];
};

const overviewPage: SettingsPage = {
  path: securityPath(),
  title: term('Overview'),
  Icon: ShieldCheck,
  screen: screen('security-overview', 'OverviewPage', () => import('../security/OverviewPage.tsx')),
};

const spamPage: SettingsPage = {
  path: securityPath('spam'),
  title: term('Spam and senders'),
  words: [term('Sensitivity'), term('Custom rules'), term('Blocked senders'), term('Allowed senders')],
  Icon: ShieldBan,
  screen: screen('spam', 'SpamPage', () => import('../security/SpamPage.tsx')),
};

const accountPages: readonly SettingsPage[] = [
  {
    path: accountPath,
    title: term('Account'),
    words: [
      term('Name'),
      term('Plan'),
      term('Storage'),
      term('Language'),
      term('Time zone'),
      term('Export'),
      term('Delete account'),
    ],
    Icon: CircleUser,
    screen: screen('account', 'AccountPage', () => import('./AccountPage.tsx')),
    below: { export: screen('export-page', 'ExportPage', () => import('../export/ExportPage.tsx')) },
  },
  {
    path: settingsPath('subscription'),
    title: term('Subscription'),
    words: [term('Plan'), term('Payment'), term('Invoices')],
    Icon: CreditCard,
    screen: screen('subscription', 'SubscriptionPage', () => import('../billing/SubscriptionPage.tsx')),
  },
  {
    ...overviewPage,
    title: term('Security'),
    words: [term('Password'), term('Recovery kit'), term('Keys'), term('Sessions'), term('Analytics')],
  },
  {
    path: settingsPath('organisation'),
    title: term('Organization'),
    words: [term('Members'), term('Roles'), term('Invitations'), term('Connected domains')],
    Icon: Building2,
    screen: screen('organisation', 'OrganizationPage', () => import('../organization/OrganizationPage.tsx')),
  },
];

const devicePages: readonly SettingsPage[] = [
  {
    path: settingsPath('appearance'),
    title: term('Appearance'),
    words: [term('Theme'), term('Density'), term('Reading pane'), term('Start page'), term('Undo send')],
    Icon: Palette,
    screen: screen('appearance', 'AppearancePage', () => import('./AppearancePage.tsx')),
  },
  {
    path: settingsPath('shortcuts'),
    title: term('Shortcuts'),
    Icon: Keyboard,
    screen: screen('shortcuts', 'ShortcutsPage', () => import('./ShortcutsPage.tsx')),
  },
  {
    path: settingsPath('notifications'),
    title: term('Notifications'),
    words: [term('New mail'), term('Mentions'), term('Quiet hours')],
    Icon: Bell,
    screen: screen(
      'notifications',
      'NotificationsPage',
      () => import('../notifications/NotificationsPage.tsx'),
    ),
  },
  {
    path: settingsPath('device'),
    title: term('App'),
    words: [term('Install Keyfold'), term('Mail links'), term('Offline reading')],
    Icon: MonitorSmartphone,
    screen: screen('device', 'DevicePage', () => import('../device/DevicePage.tsx')),
  },
];

const mailPages: readonly SettingsPage[] = [
  {
    path: settingsPath('contacts'),
    title: term('Contacts'),
    Icon: Users,
    screen: screen('contacts-page', 'ContactsPage', () => import('../contacts/ContactsPage.tsx')),
  },
  {
    path: settingsPath('addresses'),
    title: term('Addresses'),
    Icon: AtSign,
    screen: screen('addresses', 'AddressesPage', () => import('../addresses/AddressesPage.tsx')),
  },
  {
    path: settingsPath('domains'),
    title: term('Domains'),
    Icon: Globe,
    screen: screen('domains', 'DomainsPage', () => import('../domains/DomainsPage.tsx')),
    below: { records: screen('domain', 'DomainPage', () => import('../domains/DomainPage.tsx')) },
  },
  {
    path: settingsPath('tags'),
    title: term('Tags'),
    Icon: Tag,
    screen: screen('tags', 'TagsPage', () => import('../tags/TagsPage.tsx')),
  },
  {
    path: settingsPath('rules'),
    title: term('Rules'),
    Icon: ListFilter,
    screen: screen('rules', 'RulesPage', () => import('../rules/RulesPage.tsx')),
  },
  spamPage,
  {
    path: settingsPath('signatures'),
    title: term('Signatures'),
    Icon: PenLine,
    screen: screen('signatures', 'SignaturesPage', () => import('../signatures/SignaturesPage.tsx')),
  },
  {
    path: settingsPath('templates'),
    title: term('Templates'),
    Icon: FileText,
    screen: screen('templates', 'TemplatesPage', () => import('../signatures/TemplatesPage.tsx')),
  },
  {
    path: settingsPath('import'),
    title: term('Import'),
    words: [term('Folders'), 'PST', 'MBOX', 'EML', 'ZIP', 'Maildir'],
    Icon: FileArchive,
    screen: screen('import', 'ImportPage', () => import('../import/ImportPage.tsx')),
  },
];

const securityPages: readonly SettingsPage[] = [
  overviewPage,
  {
    path: securityPath('password'),
    title: term('Password'),
    Icon: KeyRound,
    screen: screen('password', 'PasswordPage', () => import('../security/PasswordPage.tsx')),
  },
  {
    path: securityPath('two-factor'),
    title: term('Two-factor authentication'),
    Icon: Smartphone,
    screen: screen('two-factor', 'TwoFactorPage', () => import('../security/TwoFactorPage.tsx')),
  },
  {
    path: securityPath('recovery'),
    title: term('Recovery kit'),
    Icon: LifeBuoy,
    screen: screen('recovery', 'RecoveryPage', () => import('../security/RecoveryPage.tsx')),
  },
  spamPage,
  {
    path: securityPath('keys'),
    title: term('Keys'),
    Icon: FileKey2,
    screen: screen('keys-page', 'KeysPage', () => import('../security/KeysPage.tsx')),
  },
  {
    path: securityPath('sessions'),
    title: term('Sessions'),
    Icon: MonitorSmartphone,
    screen: screen('sessions', 'SessionsPage', () => import('../security/SessionsPage.tsx')),
  },
  {
    path: securityPath('analytics'),
    title: term('Analytics'),
    Icon: ChartColumn,
    screen: screen('analytics', 'AnalyticsPage', () => import('../security/AnalyticsPage.tsx')),
  },
];

/** The table, keyed by the area whose menu lists the groups. */
export const areas = {
  settings: [
    { label: term('Account'), pages: accountPages },
    { label: term('This device'), pages: devicePages },
    { label: term('Mail'), pages: mailPages },
  ],
  security: [{ label: term('Security'), pages: securityPages }],
} as const satisfies Readonly<Record<string, readonly PageGroup<SettingsPage>[]>>;
