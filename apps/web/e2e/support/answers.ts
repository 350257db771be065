// Changes server responses on their way to the page.
import type { Route } from 'playwright-core';

/**
 * Lets a request through and changes the server's response. A refusal, or an error about a killed
 * node, passes unchanged.
 */
export async function changeAnswer<T>(route: Route, change: (json: T) => void): Promise<void> {
  const response = await route.fetch();
  if (!response.ok()) return route.fulfill({ response });
  const json = (await response.json()) as T;
  change(json);
  await route.fulfill({ response, json });
}
