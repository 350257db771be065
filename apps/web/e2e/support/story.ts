// Common setup of nearly every test: a separate product, a browser, and Alice, who has an account
// and is in her inbox. With KEYFOLD_E2E_CLUSTER=3 the product is three nodes over one database and
// one bucket, one of which is killed every KEYFOLD_E2E_KILL_MS (`npm run test:nodes`).
import { type Cluster, createCluster } from '@keyfold/testing/cluster/cluster';
import { createProduct, type Product } from '@keyfold/testing/product';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { type BrowserOptions, openBrowser } from '../harness/open-browser.ts';
import { join } from './accounts.ts';
import { openPerson, type Person } from './browser.ts';
import { clusterKillsMs, clusterNodes } from './cluster-mode.ts';
import { putFirstData } from './first-data.ts';

/**
 * Returns a product that has not been started yet, with its first data. `env` adds to its
 * configuration and is read at each start.
 */
export async function prepareProduct(env: Readonly<Record<string, string>> = {}): Promise<Product> {
  const product =
    clusterNodes === 0
      ? await createProduct(env)
      : await createCluster(env, { nodes: clusterNodes, killEveryMs: clusterKillsMs });
  await putFirstData(inject('storiesDir'), product.dataDir);
  return product;
}

/**
 * Allows the product to reach a peer at a port of this machine's loopback address that is not in
 * its configuration.
 */
export async function letReach(product: Product, port: number): Promise<void> {
  if (clusterNodes > 0) await (product as Cluster).reach(port);
}

/** Starts a product and a browser. */
export async function startProduct(
  env: Readonly<Record<string, string>> = {},
  options: BrowserOptions = {},
): Promise<{ product: Product; browser: Browser }> {
  const product = await prepareProduct(env);
  const [, browser] = await Promise.all([product.start(), openBrowser(options)]);
  return { product, browser };
}

export type Story = {
  readonly product: Product;
  readonly browser: Browser;
  /** Alice and her page. */
  readonly person: Person;
  readonly page: Page;
};

/** Like `startProduct`, with Alice, alice@keyfold.test, in her inbox. */
export async function startStory(
  env: Readonly<Record<string, string>> = {},
  options: BrowserOptions = {},
): Promise<Story> {
  const { product, browser } = await startProduct(env, options);
  const person = await openPerson(browser);
  await join(person, product.baseUrl, 'Alice Almeida', 'alice');
  return { product, browser, person, page: person.page };
}

/**
 * Sets up a story for the tests of one `describe`: available before them, and before every later
 * `beforeAll`; torn down after them.
 */
export function useStory(env: Readonly<Record<string, string>> = {}, options: BrowserOptions = {}): Story {
  const story = {} as { -readonly [K in keyof Story]: Story[K] };
  beforeAll(async () => {
    Object.assign(story, await startStory(env, options));
  });
  afterAll(async () => {
    await story.browser?.close();
    await story.product?.remove();
  });
  return story;
}

export type Correspondence = {
  readonly product: Product;
  /** Receives mail to the outside. */
  readonly sink: SmtpSink;
  readonly browser: Browser;
  readonly alice: Person;
  readonly bobby: Person;
};

/**
 * Alice and Bob, bob@keyfold.test, who write to each other and to the outside; with the same
 * lifetime as `useStory`.
 */
export function useCorrespondence(): Correspondence {
  const story = {} as { -readonly [K in keyof Correspondence]: Correspondence[K] };
  beforeAll(async () => {
    story.sink = await startSmtpSink();
    Object.assign(story, await startProduct({ SMTP_RELAY: `smtp://127.0.0.1:${story.sink.port}` }));
    const { browser, product } = story;
    [story.alice, story.bobby] = [await openPerson(browser), await openPerson(browser)];
    await Promise.all([
      join(story.alice, product.baseUrl, 'Alice Almeida', 'alice'),
      join(story.bobby, product.baseUrl, 'Bob Brandt', 'bob'),
    ]);
  });
  afterAll(async () => {
    await story.browser?.close();
    await story.product?.remove();
    await story.sink?.close();
  });
  return story;
}
