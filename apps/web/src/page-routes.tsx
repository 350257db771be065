// Routes whose loader picks the page, as those of the settings do, and redirects.
import type { ComponentType } from 'react';
import { type LoaderFunctionArgs, type RouteObject, redirect, useLoaderData } from 'react-router';
import { loadChunk } from './lib/load-chunk.ts';

/** A redirect that keeps the query and lives in a loader, so that nothing is painted on the way. */
export const redirectTo = (path: string) => (args: LoaderFunctionArgs) =>
  redirect(path + new URL(args.request.url).search);

/** The page that the loader of its route has fetched. */
function LoadedPage() {
  const { Component } = useLoaderData<{ Component: ComponentType }>();
  return <Component />;
}

/** The pages below `root`, found in their own table. An address without a page leads to `otherPath`. */
export const pagesBelow = (root: string, otherPath: string): RouteObject => ({
  path: `${root}/*`,
  loader: async args => {
    const { findScreen } = await loadChunk('settings-pages', () => import('./features/settings/menus.ts'));
    const fetchPage = findScreen(new URL(args.request.url).pathname);
    return fetchPage === null ? redirectTo(otherPath)(args) : fetchPage();
  },
  shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
  Component: LoadedPage,
});
