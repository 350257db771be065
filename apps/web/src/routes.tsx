// The route table of docs/spec-map.md 2. Every screen is a chunk of its own; unknown addresses lead to the start.
// Decides only which screen stands where: the login check is in session/, the screens are in features/.
import { type LoaderFunctionArgs, Navigate, type RouteObject, redirect } from 'react-router';
import { CenteredLayout } from './features/shell/CenteredLayout.tsx';
import { loadChunk } from './lib/load-chunk.ts';
import { isPhone } from './lib/media.ts';
import { screen } from './lib/route-screen.ts';
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
import { SessionGate } from './session/sign-in/SessionGate.tsx';
import { startPath } from './session/state/preferences.ts';
import { wantLetter } from './session/wanted-letter.ts';

/** A redirect that keeps the query and lives in a loader, so that nothing is painted on the way. */
const redirectTo = (path: string) => (args: LoaderFunctionArgs) =>
  redirect(path + new URL(args.request.url).search);

/** A page of the settings, found in their own table. */
const settingsScreen =
  (name: keyof typeof import('./features/settings/screens.ts')['settingsScreens']) => async () => {
    const { settingsScreens } = await loadChunk(
      'settings-pages',
      () => import('./features/settings/screens.ts'),
    );
    return settingsScreens[name]();
  };

/** A page of the security area, found in its own table. */
const securityScreen =
  (name: keyof typeof import('./features/security/screens.ts')['securityScreens']) => async () => {
    const { securityScreens } = await loadChunk(
      'security-pages',
      () => import('./features/security/screens.ts'),
    );
    return securityScreens[name]();
  };

/** The sign-in page, which has more in the shell of a phone. */
const fetchSignin = async () => {
  const { fetchSigninScreen } = await loadChunk('signin', () => import('./features/account/SigninPage.tsx'));
  return fetchSigninScreen();
};

const queryRoom = screen('queries', 'QueryRoom', () => import('./session/calls/QueryRoom.tsx'));

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

/** Pages of the settings by their place in the path. */
const settingsPages = {
  account: 'AccountPage',
  'account/export': 'ExportPage',
  subscription: 'SubscriptionPage',
  appearance: 'AppearancePage',
  shortcuts: 'ShortcutsPage',
  notifications: 'NotificationsPage',
  device: 'DevicePage',
  addresses: 'AddressesPage',
  domains: 'DomainsPage',
  'domains/records': 'DomainPage',
  organisation: 'OrganizationPage',
  tags: 'TagsPage',
  rules: 'RulesPage',
  contacts: 'ContactsPage',
  signatures: 'SignaturesPage',
  templates: 'TemplatesPage',
  import: 'ImportPage',
} as const;

const settingsRoutes: RouteObject[] = [
  {
    path: settingsRoot,
    // On a phone the list of pages stands alone; beside it there is always one.
    loader: args => (isPhone() ? null : redirectTo(accountPath)(args)),
    element: null,
  },
  {
    // Where it was before; links of old stay good.
    path: settingsPath('senders'),
    loader: redirectTo(securityPath('spam')),
  },
  ...Object.entries(settingsPages).map(([page, name]) => ({
    path: settingsPath(page),
    lazy: settingsScreen(name),
  })),
];

const securityRoutes: RouteObject[] = [
  {
    path: securityPath(),
    lazy: securityScreen('OverviewPage'),
  },
  {
    path: securityPath('password'),
    lazy: securityScreen('PasswordPage'),
  },
  {
    path: securityPath('two-factor'),
    lazy: securityScreen('TwoFactorPage'),
  },
  {
    path: securityPath('recovery'),
    lazy: securityScreen('RecoveryPage'),
  },
  {
    path: securityPath('spam'),
    lazy: securityScreen('SpamPage'),
  },
  {
    path: securityPath('analytics'),
    lazy: securityScreen('AnalyticsPage'),
  },
  {
    path: securityPath('keys'),
    lazy: securityScreen('KeysPage'),
  },
  {
    path: securityPath('sessions'),
    lazy: securityScreen('SessionsPage'),
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
                lazy: fetchSignin,
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
                    path: 'reset',
                    lazy: screen('reset', 'ResetPage', () => import('./features/account/ResetPage.tsx')),
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
                        loader: ({ request }) => {
                          wantLetter(new URL(request.url).searchParams);
                          return redirect(mailPath(recieved));
                        },
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
