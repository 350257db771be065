/**
 * Writes ios/Keyfold.xcconfig, from which Xcode reads the app's identity, using identity.json and
 * the version in package.json. Gradle reads both directly. Run it after a change of either; a test
 * compares them.
 *
 *   npm run identity -w @keyfold/mobile
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const fileOf = name => new URL(`../${name}`, import.meta.url);
const readJson = name => JSON.parse(readFileSync(fileOf(name), 'utf8'));

/** Converts a version to one increasing number, as both stores require: 1.2.3 is 10203. */
export function buildNumberOf(version) {
  const [major, minor, patch] = version.split(/[.-]/).map(Number);
  return major * 10_000 + minor * 100 + patch;
}

/** Returns the text of the file. */
export function xcconfigOf(identity, version) {
  return `// Made by tools/identity.mjs from identity.json and package.json. Put settings of your own builds
// (the team, the host of the links) into Local.xcconfig next to it, which is not in the repository
// (docs/mobile.md).
PRODUCT_BUNDLE_IDENTIFIER = ${identity.app_id}
KEYFOLD_NAME = ${identity.name}
KEYFOLD_SCHEME = ${identity.scheme}
KEYFOLD_LINK_HOST = keyfold.invalid
MARKETING_VERSION = ${version}
CURRENT_PROJECT_VERSION = ${buildNumberOf(version)}
#include? "Local.xcconfig"
`;
}

/** Returns the expected content of the file. */
export const currentXcconfig = () => xcconfigOf(readJson('identity.json'), readJson('package.json').version);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(fileURLToPath(fileOf('ios/Keyfold.xcconfig')), currentXcconfig());
