// A lazy route: the screen's chunk is fetched when its address is first visited.
import type { ComponentType } from 'react';
import { loadChunk } from './load-chunk.ts';

/** Returns the `lazy` function of a route. Failures report the chunk as `name`. */
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
