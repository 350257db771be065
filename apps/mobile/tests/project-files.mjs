// Reads the files of the native projects for the tests in this folder: XML, property lists and the
// Xcode project, each with a parser.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { XMLParser } from 'fast-xml-parser';
import { parse } from 'plist';
import xcode from 'xcode';

/** The shell's folder. */
export const mobileRoot = fileURLToPath(new URL('..', import.meta.url));

/** Returns the text of a file of the shell. */
export const readText = file => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** Returns the bytes of a file of the shell. */
export const readBytes = file => readFileSync(new URL(`../${file}`, import.meta.url));

export const readJson = file => JSON.parse(readText(file));

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  // Every element is a list, so that single and repeated elements are read alike.
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** Parses an XML file: elements become lists of objects, attributes become their fields. */
export const readXml = file => xml.parse(readText(file));

/** Parses a property list. */
export const readPlist = file => parse(readText(file));

/** Returns the Xcode project as its own parser reads it. */
export function readXcodeProject() {
  return xcode
    .project(fileURLToPath(new URL('../ios/App/App.xcodeproj/project.pbxproj', import.meta.url)))
    .parseSync();
}
