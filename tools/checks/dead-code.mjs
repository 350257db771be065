/** Exports nobody uses, files nobody imports, dependencies nobody declares or needs (knip, configured in knip.json). */
import { bin, runCommand } from '../run-command.mjs';

export async function checkDeadCode() {
  const run = await runCommand(bin('knip'), ['--no-progress', '--reporter', 'compact']);
  return run.code === 0 ? [] : [run.output.trim()];
}
