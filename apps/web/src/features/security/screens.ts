// The pages of the security area by name, each a chunk of its own, apart from the route table as those of the settings are.
import { screen } from '../../lib/route-screen.ts';

export const securityScreens = {
  OverviewPage: screen('security-overview', 'OverviewPage', () => import('./OverviewPage.tsx')),
  PasswordPage: screen('password', 'PasswordPage', () => import('./PasswordPage.tsx')),
  TwoFactorPage: screen('two-factor', 'TwoFactorPage', () => import('./TwoFactorPage.tsx')),
  RecoveryPage: screen('recovery', 'RecoveryPage', () => import('./RecoveryPage.tsx')),
  SpamPage: screen('spam', 'SpamPage', () => import('./SpamPage.tsx')),
  AnalyticsPage: screen('analytics', 'AnalyticsPage', () => import('./AnalyticsPage.tsx')),
  KeysPage: screen('keys-page', 'KeysPage', () => import('./KeysPage.tsx')),
  SessionsPage: screen('sessions', 'SessionsPage', () => import('./SessionsPage.tsx')),
} as const;
