/** Formatting, lint, and the import rules that Biome can express. */
import { bin, runCommand } from '../run-command.mjs';

/** Returns the problems as Biome prints them; empty if there are none. */
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
