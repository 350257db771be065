/** What a route shows whose loader picks the page, as those of the settings do. */
import type { ComponentType } from 'react';
import { useLoaderData } from 'react-router';

/** The page that the loader of its route has fetched. */
export function LoadedPage() {
  const { Component } = useLoaderData<{ Component: ComponentType }>();
  return <Component />;
}
