// Routes whose loader selects the page, such as the settings pages, and redirects.
import type { ComponentType } from 'react';
import { type LoaderFunctionArgs, type RouteObject, redirect, useLoaderData } from 'react-router';
import { loadChunk } from './lib/load-chunk.ts';

/**
 * Returns a redirect that keeps the query. It runs in a loader, so that nothing renders in between.
 */
export const redirectTo = (path: string) => (args: LoaderFunctionArgs) =>
  redirect(path + new URL(args.request.url).search);

/** Renders the page that the route's loader fetched. */
function LoadedPage() {
  const { Component } = useLoaderData<{ Component: ComponentType }>();
  return <Component />;
}

/**
 * Returns the pages below `root`, found in a table of their own. Addresses without a page redirect
 * to `otherPath`.
 */
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
