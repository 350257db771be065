// The pages of the settings, in the order in which they are listed. A page that is not built is not listed.
import {
  AtSign,
  Bell,
  Building2,
  CircleUser,
  CreditCard,
  FileArchive,
  FileText,
  Globe,
  Keyboard,
  ListFilter,
  type LucideIcon,
  MonitorSmartphone,
  Palette,
  PenLine,
  ShieldBan,
  ShieldCheck,
  Tag,
  Users,
} from 'lucide-react';
import { t } from '../../lib/language.ts';
import { accountPath, securityPath, settingsPath } from '../../paths.ts';

interface SettingsPageEntry {
  readonly path: string;
  readonly title: string;
  /** What stands on the page, for the search: texts of its labels. */
  readonly words?: readonly string[];
  readonly Icon: LucideIcon;
}

/** Pages that are listed under one word. */
export interface PageGroup {
  readonly label: string;
  readonly pages: readonly SettingsPageEntry[];
}

/** The groups with their pages, in the reader's language. */
export const settingsGroups = (): readonly PageGroup[] => [
  {
    label: t('Account'),
    pages: [
      {
        path: accountPath,
        title: t('Account'),
        words: [
          t('Name'),
          t('Plan'),
          t('Storage'),
          t('Language'),
          t('Time zone'),
          t('Export'),
          t('Delete account'),
        ],
        Icon: CircleUser,
      },
      {
        path: settingsPath('subscription'),
        title: t('Subscription'),
        words: [t('Plan'), t('Payment'), t('Invoices')],
        Icon: CreditCard,
      },
      {
        path: securityPath(),
        title: t('Security'),
        words: [t('Password'), t('Recovery kit'), t('Keys'), t('Sessions'), t('Analytics')],
        Icon: ShieldCheck,
      },
      {
        path: settingsPath('organisation'),
        title: t('Organisation'),
        words: [t('Members'), t('Roles'), t('Invitations'), t('Connected domains')],
        Icon: Building2,
      },
    ],
  },
  {
    label: t('This device'),
    pages: [
      {
        path: settingsPath('appearance'),
        title: t('Appearance'),
        words: [t('Theme'), t('Density'), t('Reading pane'), t('Start page'), t('Undo send')],
        Icon: Palette,
      },
      { path: settingsPath('shortcuts'), title: t('Shortcuts'), Icon: Keyboard },
      {
        path: settingsPath('notifications'),
        title: t('Notifications'),
        words: [t('New mail'), t('Mentions'), t('Quiet hours')],
        Icon: Bell,
      },
      {
        path: settingsPath('device'),
        title: t('Program'),
        words: [t('Install Keyfold'), t('Mail links'), t('Reading offline')],
        Icon: MonitorSmartphone,
      },
    ],
  },
  {
    label: t('Mail'),
    pages: [
      { path: settingsPath('contacts'), title: t('Contacts'), Icon: Users },
      { path: settingsPath('addresses'), title: t('Addresses'), Icon: AtSign },
      { path: settingsPath('domains'), title: t('Domains'), Icon: Globe },
      { path: settingsPath('tags'), title: t('Tags'), Icon: Tag },
      { path: settingsPath('rules'), title: t('Rules'), Icon: ListFilter },
      {
        path: securityPath('spam'),
        title: t('Spam and senders'),
        words: [t('Sensitivity'), t('Custom rules'), t('Blocked senders'), t('Allowed senders')],
        Icon: ShieldBan,
      },
      { path: settingsPath('signatures'), title: t('Signatures'), Icon: PenLine },
      { path: settingsPath('templates'), title: t('Templates'), Icon: FileText },
      {
        path: settingsPath('import'),
        title: t('Import'),
        words: [t('Folders'), 'PST', 'MBOX', 'EML', 'ZIP', 'Maildir'],
        Icon: FileArchive,
      },
    ],
  },
];
