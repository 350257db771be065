// The web client's build is reproducible: compares the build in apps/web/dist with another one made
// in a different folder, time zone and language (tools/build-verify.mjs).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const TIMEOUT_MS = 180_000;

test.skipIf(!existsSync(path.join(root, 'apps/web/dist/hashes.txt')))(
  'a build in another folder produces the same bytes',
  () => {
    const run = spawnSync(process.execPath, [path.join(root, 'tools/build-verify.mjs')], {
      cwd: root,
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    expect(`${run.stdout}${run.stderr}`.trim()).toBe(
      'The web client is reproducible: a build in another environment has the same bytes.',
    );
    expect(run.status).toBe(0);
  },
  TIMEOUT_MS,
);
