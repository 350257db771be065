// Answers of the server that a story changes on their way to the page.
import type { Route } from 'playwright-core';

/** Lets a request through, and changes what the server answers; a refusal, or word of a killed node, arrives as it is. */
export async function changeAnswer<T>(route: Route, change: (json: T) => void): Promise<void> {
  const response = await route.fetch();
  if (!response.ok()) return route.fulfill({ response });
  const json = (await response.json()) as T;
  change(json);
  await route.fulfill({ response, json });
}
