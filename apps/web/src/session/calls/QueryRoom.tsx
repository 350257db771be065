// The routes that ask the server through queries stand in here. A chunk of its own: the sign-in form needs none of it.
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { queries } from './query-client.ts';

/** Gives the routes inside the shared query client. */
export function QueryRoom() {
  return (
    <QueryClientProvider client={queries}>
      <Outlet />
    </QueryClientProvider>
  );
}
