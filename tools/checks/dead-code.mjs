/**
 * Unused exports, files that nothing imports, and undeclared or unneeded dependencies (knip,
 * configured in knip.json).
 */
import { bin, runCommand } from '../run-command.mjs';

export async function checkDeadCode() {
  const run = await runCommand(bin('knip'), ['--no-progress', '--reporter', 'compact']);
  return run.code === 0 ? [] : [run.output.trim()];
}
