// The data of a product after its first start (its keys, and a PostgreSQL with all tables and no
// account). It is created once per run and copied for each test, because a first start takes three
// times as long as later ones.
import { existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createProduct } from '@keyfold/testing/product';

async function makeFirstData(at: string): Promise<void> {
  const product = await createProduct();
  await product.start();
  await product.stop();
  // Another worker may have been faster; a folder that is not empty is not replaced.
  await rename(product.dataDir, at).catch(async error => {
    await rm(product.dataDir, { recursive: true, force: true });
    if (!existsSync(at)) throw error;
  });
}

/** Fills the data directory of a product that has never been started. */
export async function putFirstData(storiesDir: string, dataDir: string): Promise<void> {
  const made = path.join(storiesDir, 'first-data');
  if (!existsSync(made)) await makeFirstData(made);
  await cp(made, dataDir, { recursive: true });
}
