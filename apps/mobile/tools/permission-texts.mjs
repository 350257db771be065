/**
 * Writes the texts that iOS shows when the app requests a permission, in every language, from
 * permission-texts.json: Xcode turns InfoPlist.xcstrings into the localized counterparts of
 * Info.plist. Info.plist also contains the English texts, without which iOS terminates an app that
 * requests a permission; a test compares them. Android shows its own texts.
 *
 *   npm run permission-texts -w @keyfold/mobile
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { appleCatalog } from './apple-catalog.mjs';

const at = name => new URL(`../${name}`, import.meta.url);

/** Returns the file's path in the shell, and its text. */
export function permissionTextFile() {
  const texts = JSON.parse(readFileSync(at('permission-texts.json'), 'utf8'));
  return ['ios/App/App/InfoPlist.xcstrings', appleCatalog(texts)];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [name, text] = permissionTextFile();
  writeFileSync(at(name), text);
}
