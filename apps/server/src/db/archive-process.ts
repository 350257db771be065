/**
 * The program that PostgreSQL runs for each file of its archive of changes, to keep it there or to have it back; see wal-archive.ts.
 * It reads the server's key itself: what stands in a command can be read by every account of the machine.
 *
 * It ends with 0 when it is done and with 1 when it is not, which PostgreSQL tries again, or takes for the archive's end. With 126
 * PostgreSQL gives up a restore.
 */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { loadMasterKey, masterKeyFile } from '../base/master-key.ts';
import { giveFromArchive, keepInArchive } from './archive-files.ts';

const NOT_DONE = 1;
const GIVE_UP = 126;

function keyOf(dataDir: string) {
  if (existsSync(masterKeyFile(dataDir))) return loadMasterKey(dataDir);
  throw new Error('There is no key to mark it with yet');
}

/** Words: keep or give, the archive's folder, the database, a file's name and where it is or goes, KEYFOLD_DATA, what is checked. */
function run([task, folder = '', database = '', name = '', file = '', dataDir = '', checked = '']: string[]) {
  const key = checked === 'none' ? null : keyOf(dataDir);
  const marks = { key, database, mayLack: checked === 'wrong' };
  if (task !== 'give') keepInArchive(marks, folder, name, file);
  else if (!giveFromArchive(marks, folder, name, file)) process.exitCode = NOT_DONE;
}

const words = process.argv.slice(2);
try {
  run(words);
} catch (error) {
  process.stderr.write(`keyfold archive: ${(error as Error).message}\n`);
  process.exitCode = words[0] === 'give' ? GIVE_UP : NOT_DONE;
}
