/**
 * The program that PostgreSQL runs to archive or restore each WAL file; see wal-archive.ts. It
 * reads the server's key itself, because every account on the machine can read a command line.
 *
 * Exits with 0 on success. On failure it exits with 1, which PostgreSQL retries or treats as the
 * end of the archive. With 126, PostgreSQL aborts a restore.
 */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { loadMasterKey, masterKeyFile } from '../base/master-key.ts';
import { giveFromArchive, keepInArchive } from './archive-files.ts';

const NOT_DONE = 1;
const GIVE_UP = 126;

function keyOf(dataDir: string) {
  if (existsSync(masterKeyFile(dataDir))) return loadMasterKey(dataDir);
  throw new Error("The server's key does not exist yet");
}

/**
 * Arguments: `keep` or `give`, the archive's folder, the database, the file's name, its source or
 * target path, KEYFOLD_DATA, and which MACs are checked.
 */
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
