// Layout for routes that query the server. A separate chunk, because the sign-in form does not need
// it.
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { queries } from './query-client.ts';

/** Provides the shared query client to the nested routes. */
export function QueryRoom() {
  return (
    <QueryClientProvider client={queries}>
      <Outlet />
    </QueryClientProvider>
  );
}
