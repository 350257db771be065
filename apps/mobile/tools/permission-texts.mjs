/**
 * Writes what iOS says when it asks for a permission, in every language, out of permission-texts.json: Xcode makes of
 * InfoPlist.xcstrings what stands beside Info.plist in each language. English stands in Info.plist as well, without which iOS
 * ends a program that asks; a test compares. Android's own words need none of ours.
 *
 *   npm run permission-texts -w @keyfold/mobile
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { appleCatalog } from './apple-catalog.mjs';

const at = name => new URL(`../${name}`, import.meta.url);

/** The file by its place in the shell, and its text. */
export function permissionTextFile() {
  const texts = JSON.parse(readFileSync(at('permission-texts.json'), 'utf8'));
  return ['ios/App/App/InfoPlist.xcstrings', appleCatalog(texts)];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [name, text] = permissionTextFile();
  writeFileSync(at(name), text);
}
