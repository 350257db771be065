// The route table of docs/spec-map.md 2. Every screen is a separate chunk; unknown addresses lead
// to the start page. Defines only which screen belongs to which path: the login check is in
// session/, the screens are in features/.
import { Navigate, type RouteObject, redirect } from 'react-router';
import { CenteredLayout } from './features/shell/CenteredLayout.tsx';
import { loadChunk } from './lib/load-chunk.ts';
import { isPhone } from './lib/media.ts';
import { screen } from './lib/route-screen.ts';
import { pagesBelow, redirectTo } from './page-routes.tsx';
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
import { requestDraft } from './session/requested-draft.ts';
import { SessionGate } from './session/sign-in/SessionGate.tsx';
import { startPath } from './session/state/preferences.ts';

/** Fetches the sign-in page, which includes more in the native shell of a phone. */
async function fetchSignin() {
  const { fetchSigninScreen } = await loadChunk('signin', () => import('./features/auth/SigninPage.tsx'));
  return fetchSigninScreen();
}

const queryRoom = screen('queries', 'QueryRoom', () => import('./session/calls/QueryRoom.tsx'));

const inboxRoutes: RouteObject[] = [
  { index: true, loader: redirectTo(mailPath(recieved)) },
  // The correct spelling is not canonical; see paths.ts.
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
    // On a phone the list of pages is a screen of its own; on larger screens a page is always open
    // beside it.
    loader: args => (isPhone() ? null : redirectTo(accountPath)(args)),
    element: null,
  },
  {
    // The former path; old links keep working.
    path: settingsPath('senders'),
    loader: redirectTo(securityPath('spam')),
  },
  pagesBelow(settingsRoot, accountPath),
];

/** The route table, for the router and for tests. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteError,
    // Renders nothing for the first 200 ms of a start; after that the gate shows the spinner.
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
                lazy: screen('recover', 'RecoverPage', () => import('./features/auth/RecoverPage.tsx')),
              },
              {
                lazy: queryRoom,
                children: [
                  {
                    path: 'signup',
                    lazy: screen('signup', 'SignupPage', () => import('./features/auth/SignupPage.tsx')),
                  },
                  {
                    path: 'reset',
                    lazy: screen('reset', 'ResetPage', () => import('./features/auth/ResetPage.tsx')),
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
                      // mailto: links from other programs; AppFrame opens the draft.
                      {
                        path: 'compose',
                        loader: ({ request }) => {
                          requestDraft(new URL(request.url).searchParams);
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
                          () => import('./features/settings/AreaLayout.tsx'),
                        ),
                        children: settingsRoutes,
                      },
                      {
                        lazy: screen(
                          'security',
                          'SecurityLayout',
                          () => import('./features/settings/AreaLayout.tsx'),
                        ),
                        children: [pagesBelow(securityPath(), securityPath())],
                      },
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
