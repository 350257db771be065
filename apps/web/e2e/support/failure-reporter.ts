// Says of a story that failed what its pages showed then, and keeps its traces. Of one that passed, nothing.
import process from 'node:process';
import { afterEach } from 'vitest';
import { tellOpenPages } from './open-pages.ts';
import { dropTraces, keepTraces } from './traces.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return dropTraces();
  for (const told of await tellOpenPages()) process.stderr.write(`${task.name}\n${told}\n`);
  for (const file of await keepTraces(task.name)) process.stderr.write(`trace: ${file}\n`);
});
