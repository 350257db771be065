import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareFiles, hashOf, makeHashList, readHashList } from './hash-list.mjs';

let dist;
function write(name, text) {
  mkdirSync(path.dirname(path.join(dist, name)), { recursive: true });
  writeFileSync(path.join(dist, name), text);
}
beforeEach(() => {
  dist = mkdtempSync(path.join(os.tmpdir(), 'list-'));
  write('index.html', '<div>');
  write('bundle.b.1.js', 'b');
  write('assets/a.css', 'a');
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

describe('the hash list', () => {
  it('names every file in a fixed order, under its version, in sha256sum format', () => {
    expect(makeHashList(dist, '0.1.0', 'ffff')).toBe(
      `# Keyfold 0.1.0, built of ffff\n${hashOf('a')}  assets/a.css\n${hashOf('b')}  bundle.b.1.js\n${hashOf('<div>')}  index.html\n`,
    );
    expect(hashOf('a')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
  });

  it('omits precompressed variants, itself and internal build files', () => {
    const before = makeHashList(dist, '0.1.0', 'ffff');
    for (const name of ['bundle.b.1.js.br', 'assets/a.css.gz', 'hashes.txt', '.inputs']) write(name, 'x');
    expect(makeHashList(dist, '0.1.0', 'ffff')).toBe(before);
  });

  it('is read back as written, and nothing else is accepted', () => {
    const text = makeHashList(dist, '0.1.0', 'ffff');
    const { files, title } = readHashList(text);
    expect(title).toBe('Keyfold 0.1.0, built of ffff');
    expect(Object.fromEntries(files)).toEqual({
      'assets/a.css': hashOf('a'),
      'bundle.b.1.js': hashOf('b'),
      'index.html': hashOf('<div>'),
    });
    for (const line of [
      `${hashOf('a')}  ../a`,
      `${hashOf('a')}  x/../../a`,
      `${hashOf('a')}  /etc/a`,
      `${hashOf('a')}  assets/a.css`,
      `${hashOf('a')} *a`,
      'short  a',
    ])
      expect(() => readHashList(`${text}${line}\n`), line).toThrow('invalid line');
    expect(() => readHashList('<!doctype html>')).toThrow('not a hash list');
  });

  it('is compared file by file, in both directions', () => {
    const mine = new Map([
      ['a', '1'],
      ['b', '1'],
      ['c', '1'],
    ]);
    const theirs = new Map([
      ['a', '1'],
      ['b', '2'],
      ['d', '1'],
    ]);
    expect(compareFiles(mine, mine)).toEqual([]);
    expect(compareFiles(mine, theirs)).toEqual(['b differs', 'c is missing', 'd is unexpected']);
  });
});
