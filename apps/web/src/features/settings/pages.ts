// The pages of the settings, in the order in which they are listed. A page that is not built is not listed.
import {
  AtSign,
  Bell,
  CircleUser,
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
      { path: accountPath, title: t('Account'), Icon: CircleUser },
      { path: securityPath(), title: t('Security'), Icon: ShieldCheck },
    ],
  },
  {
    label: t('This device'),
    pages: [
      { path: settingsPath('appearance'), title: t('Appearance'), Icon: Palette },
      { path: settingsPath('shortcuts'), title: t('Shortcuts'), Icon: Keyboard },
      { path: settingsPath('notifications'), title: t('Notifications'), Icon: Bell },
      { path: settingsPath('device'), title: t('Program'), Icon: MonitorSmartphone },
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
      { path: securityPath('spam'), title: t('Spam and senders'), Icon: ShieldBan },
      { path: settingsPath('signatures'), title: t('Signatures'), Icon: PenLine },
      { path: settingsPath('templates'), title: t('Templates'), Icon: FileText },
    ],
  },
];
