/**
 * Writes what Xcode reads of the app's identity: ios/Keyfold.xcconfig, from identity.json and the version in package.json.
 * Gradle reads both by itself. Run it after a change of either; a test compares.
 *
 *   npm run identity -w @keyfold/mobile
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const fileOf = name => new URL(`../${name}`, import.meta.url);
const readJson = name => JSON.parse(readFileSync(fileOf(name), 'utf8'));

/** A version as one number that only grows, as both stores want it: 1.2.3 is 10203. */
export function buildNumberOf(version) {
  const [major, minor, patch] = version.split(/[.-]/).map(Number);
  return major * 10_000 + minor * 100 + patch;
}

/** The text of the file. */
export function xcconfigOf(identity, version) {
  return `// Made by tools/identity.mjs from identity.json and package.json. Settings of one's own builds (the team, the host of
// the links) go into Local.xcconfig beside it, which is nobody else's: docs/mobile.md.
PRODUCT_BUNDLE_IDENTIFIER = ${identity.app_id}
KEYFOLD_NAME = ${identity.name}
KEYFOLD_SCHEME = ${identity.scheme}
KEYFOLD_LINK_HOST = keyfold.invalid
MARKETING_VERSION = ${version}
CURRENT_PROJECT_VERSION = ${buildNumberOf(version)}
#include? "Local.xcconfig"
`;
}

/** What the file is to hold now. */
export const currentXcconfig = () => xcconfigOf(readJson('identity.json'), readJson('package.json').version);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(fileURLToPath(fileOf('ios/Keyfold.xcconfig')), currentXcconfig());
