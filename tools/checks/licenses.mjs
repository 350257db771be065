/**
 * Checks the licenses of all locked packages: only those that may be shipped with an
 * AGPL-3.0-or-later product are allowed.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../run-command.mjs';
import { readProjectFile } from '../source-files.mjs';

const ALLOWED = new Set([
  '0BSD',
  'AGPL-3.0-or-later',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'EUPL-1.1+',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/** Of tools that are never shipped: word lists of the spell checker. */
const ALLOWED_FOR_TOOLS = new Set(['CC BY-SA 4.0', 'WTFPL']);

/** Reports whether an SPDX expression can be satisfied by allowed licenses alone. */
export function isAllowedLicense(expression) {
  const alternatives = expression.replace(/[()]/g, '').split(/\s+OR\s+/i);
  return alternatives.some(one => one.split(/\s+AND\s+/i).every(name => ALLOWED.has(name.trim())));
}

export function checkLicenses() {
  const problems = [];
  const { packages } = JSON.parse(readProjectFile('package-lock.json'));
  for (const [place, entry] of Object.entries(packages)) {
    if (!place.includes('node_modules/') || entry.link) continue;
    const name = place.replace(/.*node_modules\//, '');
    const file = `${place}/package.json`;
    const license =
      entry.license ?? (existsSync(path.join(root, file)) ? JSON.parse(readProjectFile(file)).license : null);
    if (typeof license !== 'string') problems.push(`${name}: declares no license`);
    else if (!isAllowedLicense(license) && !(entry.dev && ALLOWED_FOR_TOOLS.has(license)))
      problems.push(`${name}: license ${license} is not allowed`);
  }
  return problems;
}
