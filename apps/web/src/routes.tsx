// The route table of spec §2. Every screen is a chunk of its own; unknown addresses lead to the start.
// Decides only which screen stands where: the login check is in session/, the screens are in features/.
import { type LoaderFunctionArgs, Navigate, type RouteObject, redirect } from 'react-router';
import { CenteredLayout } from './features/shell/CenteredLayout.tsx';
import { loadChunk } from './lib/load-chunk.ts';
import { isPhone } from './lib/media.ts';
import {
  accountPath,
  adminPath,
  mailPath,
  recieved,
  securityPath,
  settingsPath,
  settingsRoot,
} from './paths.ts';
import { Root } from './Root.tsx';
import { RouteError } from './RouteError.tsx';
import { startPath } from './session/preferences.ts';
import { SessionGate } from './session/SessionGate.tsx';

/** A redirect that keeps the query and lives in a loader, so that nothing is painted on the way. */
const redirectTo = (path: string) => (args: LoaderFunctionArgs) =>
  redirect(path + new URL(args.request.url).search);

/** A screen that is fetched when its address is first visited. */
function screen<Name extends string>(
  name: string,
  component: Name,
  load: () => Promise<Record<Name, React.ComponentType>>,
) {
  return async () => {
    const module = await loadChunk(name, load);
    return { Component: module[component] };
  };
}

const queryRoom = screen('queries', 'QueryRoom', () => import('./session/QueryRoom.tsx'));

const inboxRoutes: RouteObject[] = [
  { index: true, loader: redirectTo(mailPath(recieved)) },
  // The correct spelling is not the canonical one, see paths.ts.
  { path: 'received/:index?', loader: redirectTo(mailPath(recieved)) },
  {
    path: ':tag',
    loader: ({ params, request }) => redirect(mailPath(params.tag ?? recieved) + new URL(request.url).search),
  },
  { path: ':tag/:index', lazy: screen('mail', 'MailScreen', () => import('./features/mail/MailScreen.tsx')) },
];

const settingsRoutes: RouteObject[] = [
  {
    path: settingsRoot,
    // On a phone the list of pages stands alone; beside it there is always one.
    loader: args => (isPhone() ? null : redirectTo(accountPath)(args)),
    element: null,
  },
  {
    path: accountPath,
    lazy: screen('account', 'AccountPage', () => import('./features/settings/AccountPage.tsx')),
  },
  {
    path: settingsPath('subscription'),
    lazy: screen(
      'subscription',
      'SubscriptionPage',
      () => import('./features/settings/SubscriptionPage.tsx'),
    ),
  },
  {
    path: settingsPath('appearance'),
    lazy: screen('appearance', 'AppearancePage', () => import('./features/settings/AppearancePage.tsx')),
  },
  {
    path: settingsPath('shortcuts'),
    lazy: screen('shortcuts', 'ShortcutsPage', () => import('./features/settings/ShortcutsPage.tsx')),
  },
  {
    path: settingsPath('notifications'),
    lazy: screen(
      'notifications',
      'NotificationsPage',
      () => import('./features/settings/NotificationsPage.tsx'),
    ),
  },
  {
    path: settingsPath('device'),
    lazy: screen('device', 'DevicePage', () => import('./features/settings/DevicePage.tsx')),
  },
  {
    path: settingsPath('addresses'),
    lazy: screen('addresses', 'AddressesPage', () => import('./features/settings/AddressesPage.tsx')),
  },
  {
    path: settingsPath('domains'),
    lazy: screen('domains', 'DomainsPage', () => import('./features/settings/DomainsPage.tsx')),
  },
  {
    path: settingsPath('domains/records'),
    lazy: screen('domain', 'DomainPage', () => import('./features/settings/DomainPage.tsx')),
  },
  {
    path: settingsPath('tags'),
    lazy: screen('tags', 'TagsPage', () => import('./features/settings/TagsPage.tsx')),
  },
  {
    path: settingsPath('rules'),
    lazy: screen('rules', 'RulesPage', () => import('./features/settings/RulesPage.tsx')),
  },
  {
    path: settingsPath('contacts'),
    lazy: screen('contacts-page', 'ContactsPage', () => import('./features/settings/ContactsPage.tsx')),
  },
  {
    // Where it was before; links of old stay good.
    path: settingsPath('senders'),
    loader: redirectTo(securityPath('spam')),
  },
  {
    path: settingsPath('signatures'),
    lazy: screen('signatures', 'SignaturesPage', () => import('./features/settings/SignaturesPage.tsx')),
  },
  {
    path: settingsPath('templates'),
    lazy: screen('templates', 'TemplatesPage', () => import('./features/settings/TemplatesPage.tsx')),
  },
];

const securityRoutes: RouteObject[] = [
  {
    path: securityPath(),
    lazy: screen('security-overview', 'OverviewPage', () => import('./features/security/OverviewPage.tsx')),
  },
  {
    path: securityPath('password'),
    lazy: screen('password', 'PasswordPage', () => import('./features/security/PasswordPage.tsx')),
  },
  {
    path: securityPath('two-factor'),
    lazy: screen('two-factor', 'TwoFactorPage', () => import('./features/security/TwoFactorPage.tsx')),
  },
  {
    path: securityPath('recovery'),
    lazy: screen('recovery', 'RecoveryPage', () => import('./features/security/RecoveryPage.tsx')),
  },
  {
    path: securityPath('spam'),
    lazy: screen('spam', 'SpamPage', () => import('./features/security/SpamPage.tsx')),
  },
  {
    path: securityPath('analytics'),
    lazy: screen('analytics', 'AnalyticsPage', () => import('./features/security/AnalyticsPage.tsx')),
  },
  {
    path: securityPath('keys'),
    lazy: screen('keys-page', 'KeysPage', () => import('./features/security/KeysPage.tsx')),
  },
  {
    path: securityPath('sessions'),
    lazy: screen('sessions', 'SessionsPage', () => import('./features/security/SessionsPage.tsx')),
  },
];

/** The table, for the router and for tests. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteError,
    // Nothing for the first 200 ms of a start; the gate shows the spinner after that.
    HydrateFallback: () => null,
    children: [
      { path: '/', loader: redirectTo('/app') },
      {
        Component: CenteredLayout,
        children: [
          {
            path: '/link',
            lazy: screen('link', 'LinkScreen', () => import('./features/link/LinkScreen.tsx')),
          },
        ],
      },
      {
        path: '/app',
        ErrorBoundary: RouteError,
        children: [
          { index: true, loader: args => redirectTo(startPath())(args) },
          {
            Component: CenteredLayout,
            children: [
              {
                path: 'signin',
                lazy: screen('signin', 'SigninPage', () => import('./features/account/SigninPage.tsx')),
              },
              {
                path: 'recover',
                lazy: screen('recover', 'RecoverPage', () => import('./features/account/RecoverPage.tsx')),
              },
              {
                lazy: queryRoom,
                children: [
                  {
                    path: 'signup',
                    lazy: screen('signup', 'SignupPage', () => import('./features/account/SignupPage.tsx')),
                  },
                  {
                    path: 'rsvp',
                    lazy: screen('rsvp', 'RsvpScreen', () => import('./features/calendar/RsvpScreen.tsx')),
                  },
                ],
              },
            ],
          },
          {
            Component: SessionGate,
            children: [
              {
                lazy: queryRoom,
                children: [
                  {
                    path: adminPath,
                    lazy: screen('admin', 'AdminScreen', () => import('./features/admin/AdminScreen.tsx')),
                  },
                  {
                    lazy: screen('app', 'AppFrame', () => import('./features/shell/AppFrame.tsx')),
                    children: [
                      { path: 'inbox', children: inboxRoutes },
                      // mailto: links of other programs; AppFrame opens the letter.
                      {
                        path: 'compose',
                        loader: ({ request }) => redirect(mailPath(recieved) + new URL(request.url).search),
                      },
                      {
                        path: 'event/:uid',
                        lazy: screen(
                          'event-link',
                          'EventScreen',
                          () => import('./features/calendar/EventScreen.tsx'),
                        ),
                      },
                      {
                        lazy: screen(
                          'settings',
                          'SettingsLayout',
                          () => import('./features/settings/SettingsLayout.tsx'),
                        ),
                        children: settingsRoutes,
                      },
                      { path: 'config/*', loader: redirectTo(accountPath) },
                      {
                        lazy: screen(
                          'security',
                          'SecurityLayout',
                          () => import('./features/security/SecurityLayout.tsx'),
                        ),
                        children: securityRoutes,
                      },
                      { path: 'security/*', loader: redirectTo(securityPath()) },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
];
