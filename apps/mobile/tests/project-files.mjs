// Reads the files of the native projects for the tests beside it: XML, property lists and Xcode's project, each by a parser.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { XMLParser } from 'fast-xml-parser';
import { parse } from 'plist';
import xcode from 'xcode';

/** The folder of the shell. */
export const mobileRoot = fileURLToPath(new URL('..', import.meta.url));

/** The text of a file of the shell. */
export const readText = file => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** The bytes of a file of the shell. */
export const readBytes = file => readFileSync(new URL(`../${file}`, import.meta.url));

export const readJson = file => JSON.parse(readText(file));

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  // Every element is a list, so that one and many read alike.
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** An XML file: elements as lists of objects, attributes as their fields. */
export const readXml = file => xml.parse(readText(file));

/** A property list. */
export const readPlist = file => parse(readText(file));

/** Xcode's project as its own parser sees it. */
export function readXcodeProject() {
  return xcode
    .project(fileURLToPath(new URL('../ios/App/App.xcodeproj/project.pbxproj', import.meta.url)))
    .parseSync();
}
