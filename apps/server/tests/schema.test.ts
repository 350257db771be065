// docs/schema.sql matches the schema that the migrations create.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';
import { readSchemaText, type TableOwners } from './harness/schema-text.ts';

const readRoot = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the documented schema matches a migrated database', async () => {
  const owners = JSON.parse(readRoot('tools/table-owners.json')) as TableOwners;
  const text = await readSchemaText(database.db, owners);
  expect(text, 'docs/schema.sql is out of date: run `npm run schema`').toBe(readRoot('docs/schema.sql'));
});
