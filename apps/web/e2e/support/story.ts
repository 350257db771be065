// How nearly every story begins: a product of its own, a browser, and Alice, who has an account and looks at her inbox. With
// KEYFOLD_E2E_CLUSTER=3 the product is three nodes over one database and one bucket, one of which is killed every
// KEYFOLD_E2E_KILL_MS (`npm run test:nodes`).
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

/** A product that was not started yet, with its first data. `env` adds to its configuration, and is read at each start. */
export async function prepareProduct(env: Readonly<Record<string, string>> = {}): Promise<Product> {
  const product =
    clusterNodes === 0
      ? await createProduct(env)
      : await createCluster(env, { nodes: clusterNodes, killEveryMs: clusterKillsMs });
  await putFirstData(inject('storiesDir'), product.dataDir);
  return product;
}

/** Lets the product reach a peer at a port of this machine's loopback address, which no part of its configuration names. */
export async function letReach(product: Product, port: number): Promise<void> {
  if (clusterNodes > 0) await (product as Cluster).reach(port);
}

/** The product, running, and a browser. */
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
  /** Alice, and the page that she looks at. */
  readonly person: Person;
  readonly page: Page;
};

/** The same with Alice, alice@keyfold.test, in her inbox. */
export async function startStory(
  env: Readonly<Record<string, string>> = {},
  options: BrowserOptions = {},
): Promise<Story> {
  const { product, browser } = await startProduct(env, options);
  const person = await openPerson(browser);
  await join(person, product.baseUrl, 'Alice Almeida', 'alice');
  return { product, browser, person, page: person.page };
}

/** A story for the tests of one `describe`: there before them, and before every `beforeAll` after it; gone after them. */
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
  /** What went to the outside. */
  readonly sink: SmtpSink;
  readonly browser: Browser;
  readonly alice: Person;
  readonly bobby: Person;
};

/** Alice and Bob, bob@keyfold.test, who write to each other and to the outside; as long as `useStory`. */
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
