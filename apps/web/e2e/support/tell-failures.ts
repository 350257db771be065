// Says of a story that failed what its pages showed then. Of one that passed, nothing.
import process from 'node:process';
import { afterEach } from 'vitest';
import { tellOpenPages } from './open-pages.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const told of await tellOpenPages()) process.stderr.write(`${task.name}\n${told}\n`);
});
