// A screen as a route takes it: its chunk is fetched when its address is first visited.
import type { ComponentType } from 'react';
import { loadChunk } from './load-chunk.ts';

/** The `lazy` of a route; `name` is what a failure calls the chunk. */
export function screen<Name extends string>(
  name: string,
  component: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) {
  return async () => {
    const module = await loadChunk(name, load);
    return { Component: module[component] };
  };
}
