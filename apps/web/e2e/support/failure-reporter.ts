// Reports what the pages of a failed test showed and keeps its traces. Reports nothing for a test
// that passed.
import process from 'node:process';
import { afterEach } from 'vitest';
import { tellOpenPages } from './open-pages.ts';
import { dropTraces, keepTraces } from './traces.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return dropTraces();
  for (const told of await tellOpenPages()) process.stderr.write(`${task.name}\n${told}\n`);
  for (const file of await keepTraces(task.name)) process.stderr.write(`trace: ${file}\n`);
});
