/**
 * Lowers the numbers of faults of prose and of wide lines that are left
 * (tools/checks/prose/counts.mjs) to what is there now; raises none. `node tools/prose-counts.mjs`
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lowerCounts } from './checks/prose/counts.mjs';
import { countProseFaults, PROSE_COUNTS } from './checks/prose/plain-english.mjs';
import { countWideLines, WIDTH_COUNTS } from './checks/prose/width.mjs';
import { root } from './run-command.mjs';
import { readProjectFile } from './source-files.mjs';

const sum = numbers => Object.values(numbers).reduce((total, one) => total + one, 0);

function lower(list, counts) {
  const allowed = JSON.parse(readProjectFile(list));
  const lowered = lowerCounts(counts, allowed, file => existsSync(path.join(root, file)));
  writeFileSync(path.join(root, list), `${JSON.stringify(lowered, null, 2)}\n`);
  console.log(`${list}: ${sum(allowed)} → ${sum(lowered)}`);
}

lower(PROSE_COUNTS, countProseFaults());
lower(WIDTH_COUNTS, countWideLines());
