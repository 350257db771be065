// The route table of spec §2. Every screen is a chunk of its own; unknown addresses lead to the start.
// Decides only which screen stands where: the login check is in session/, the screens are in features/.
import { type LoaderFunctionArgs, Navigate, type RouteObject, redirect } from 'react-router';
import { CenteredLayout } from './features/shell/CenteredLayout.tsx';
import { loadChunk } from './lib/load-chunk.ts';
import { accountPath, inboxPath, mailPath, recieved } from './paths.ts';
import { Root } from './Root.tsx';
import { RouteError } from './RouteError.tsx';
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
          { index: true, loader: redirectTo(inboxPath) },
          {
            Component: CenteredLayout,
            children: [
              {
                path: 'signin',
                lazy: screen('signin', 'SigninPage', () => import('./features/account/SigninPage.tsx')),
              },
              {
                lazy: queryRoom,
                children: [
                  {
                    path: 'signup',
                    lazy: screen('signup', 'SignupPage', () => import('./features/account/SignupPage.tsx')),
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
                    lazy: screen('app', 'AppFrame', () => import('./features/shell/AppFrame.tsx')),
                    children: [
                      { path: 'inbox', children: inboxRoutes },
                      { path: 'config', loader: redirectTo(accountPath) },
                      {
                        path: 'config/account',
                        lazy: screen(
                          'config',
                          'AccountScreen',
                          () => import('./features/account/AccountScreen.tsx'),
                        ),
                      },
                      { path: 'config/*', loader: redirectTo(accountPath) },
                      // The security area comes with its own screens; until then its links lead to the account.
                      { path: 'security/*', loader: redirectTo(accountPath) },
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
