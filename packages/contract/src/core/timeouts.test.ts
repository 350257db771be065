import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { api } from '../index.ts';
import type { Call } from './call.ts';

const ADR = new URL('../../../../docs/adr/0056-call-timeouts.md', import.meta.url);

test('calls with a longer timeout are documented with their time and reason', () => {
  const listed = [...readFileSync(ADR, 'utf8').matchAll(/^\| `(\/\S+)` \| (\d+) \| \S.* \|$/gm)].map(
    ([, path, seconds]) => `${path} ${seconds}`,
  );
  const calls = Object.values(api).flatMap(group => Object.values<Call>(group));
  const longer = calls.flatMap(({ path, timeoutMs }) =>
    timeoutMs === undefined ? [] : [`${path} ${timeoutMs / 1000}`],
  );
  expect(listed.sort()).toEqual([...new Set(longer)].sort());
});
