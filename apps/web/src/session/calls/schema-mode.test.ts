// The schema library reads its configuration where schema-mode.ts writes it.
import './schema-mode.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';

test('the schema library compiles nothing from text', () => {
  expect(z.config().jitless).toBe(true);
});
