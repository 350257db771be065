// The pages of the security area, in the order in which they are listed. A page that is not built is not listed.
import {
  ChartColumn,
  FileKey2,
  KeyRound,
  LifeBuoy,
  MonitorSmartphone,
  ShieldBan,
  ShieldCheck,
  Smartphone,
} from 'lucide-react';
import { t } from '../../lib/language.ts';
import { securityPath } from '../../paths.ts';
import type { PageGroup } from '../settings/pages.ts';

/** The groups with their pages, in the reader's language. */
export const securityGroups = (): readonly PageGroup[] => [
  {
    label: t('Security'),
    pages: [
      { path: securityPath(), title: t('Overview'), Icon: ShieldCheck },
      { path: securityPath('password'), title: t('Password'), Icon: KeyRound },
      { path: securityPath('two-factor'), title: t('Two-factor sign-in'), Icon: Smartphone },
      { path: securityPath('recovery'), title: t('Recovery kit'), Icon: LifeBuoy },
      { path: securityPath('spam'), title: t('Spam and senders'), Icon: ShieldBan },
      { path: securityPath('keys'), title: t('Keys'), Icon: FileKey2 },
      { path: securityPath('sessions'), title: t('Sessions'), Icon: MonitorSmartphone },
      { path: securityPath('analytics'), title: t('Analytics'), Icon: ChartColumn },
    ],
  },
];
