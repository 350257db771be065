/**
 * Finds the system account that owns a file or folder, for messages that say which account to use.
 * Base layer.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import process from 'node:process';
import { StartRefused } from './start-refused.ts';

/**
 * User id of PostgreSQL when root starts it where user namespaces are forbidden (db/embedded.ts).
 */
const NOBODY = 65_534;

/** Returns the name of a user id, or `account ID` when the machine does not know it. */
function nameOf(uid: number): string {
  const { status, stdout } = spawnSync('id', ['-nu', String(uid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : `account ${uid}`;
}

/**
 * Returns the owner of a path; null when it does not exist, is not accessible, or the system has no
 * accounts.
 */
function findOwnerId(place: string): number | null {
  if (process.getuid === undefined) return null;
  return statSync(place, { throwIfNoEntry: false })?.uid ?? null;
}

/**
 * Returns how to access a file or folder that another account owns, as the end of a sentence;
 * `null` when it is ours or absent.
 */
export function findOtherAccount(place: string): string | null {
  let owner: number | null = null;
  try {
    owner = findOwnerId(place);
  } catch {
    // A parent folder is not readable, so its owner is checked instead.
  }
  return owner === null || owner === process.getuid?.() ? null : nameOf(owner);
}

function canUse(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Throws StartRefused when the data folder belongs to another account and this one may not use it.
 */
export function requireUsableFolder(folder: string): void {
  const other = findOtherAccount(folder);
  if (other !== null && !canUse(folder))
    throw new StartRefused(`${folder} belongs to ${other}: run as ${other}`);
}

/**
 * Throws StartRefused when the folder of the embedded database belongs to another account.
 * PostgreSQL accepts its owner only, and root's access would leave files behind that the owner
 * cannot open.
 */
export function requireOwnDatabase(folder: string): void {
  const other = findOtherAccount(folder);
  if (other === null) return;
  if (process.getuid?.() === 0 && findOwnerId(folder) === NOBODY) return;
  throw new StartRefused(`The database in ${folder} belongs to ${other}: run as ${other}`);
}
