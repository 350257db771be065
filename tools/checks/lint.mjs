/** Formatting, lint and the part of the import rules that Biome can say. */
import { bin, runCommand } from '../run-command.mjs';

/** Problems as Biome prints them; empty when there is none. */
export async function checkLint() {
  const run = await runCommand(bin('biome'), [
    'check',
    '--error-on-warnings',
    '--max-diagnostics=40',
    '--colors=off',
    '.',
  ]);
  return run.code === 0 ? [] : [run.output.trim()];
}
