import { createHash } from 'node:crypto';
import { ownPolicy } from '@keyfold/contract/page-policy';
import { describe, expect, it } from 'vitest';
import { bindPage, integrityOf } from './integrity.ts';

const page = `<head>
    <meta charset="utf-8" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <script src="/theme-start.js"></script>
    <script type="module" crossorigin src="/bundle.index.1.js"></script>
    <link rel="modulepreload" crossorigin href="/bundle.a.1.js">
    <link rel="stylesheet" crossorigin href="/assets/index.css">
  </head>`;
const find = (file: string) => (file.includes('gone') ? undefined : `sha256-${file}`);

describe('the start page', () => {
  it('has an integrity hash for every script and style sheet, and an import map for later ones', () => {
    const map =
      '{"integrity":{"/bundle.a.1.js":"sha256-bundle.a.1.js","/bundle.z.1.js":"sha256-bundle.z.1.js"}}';
    expect(bindPage(page, find, ['bundle.z.1.js', 'bundle.a.1.js'])).toBe(`<head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${ownPolicy([`'${integrityOf(map)}'`])}" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <script type="importmap">${map}</script>
    <script src="/theme-start.js" crossorigin integrity="sha256-theme-start.js"></script>
    <script type="module" crossorigin src="/bundle.index.1.js" integrity="sha256-bundle.index.1.js"></script>
    <link rel="modulepreload" crossorigin href="/bundle.a.1.js" integrity="sha256-bundle.a.1.js">
    <link rel="stylesheet" crossorigin href="/assets/index.css" integrity="sha256-assets/index.css">
  </head>`);
  });

  it('fails to build with a missing file, an inline script or no script', () => {
    expect(() => bindPage('<script src="/gone.js"></script>', find, [])).toThrow('no file of the build');
    expect(() => bindPage('<script>let a;</script>', find, [])).toThrow('no file');
    expect(() => bindPage('<script src="https://x.example/a.js"></script>', find, [])).toThrow('no file');
    expect(() => bindPage('<p>', find, [])).toThrow('no script');
    expect(() => bindPage('<script src="/a.js"></script>', find, [])).toThrow('no head');
  });

  it('uses integrity hashes in the form browsers compute', () => {
    expect(integrityOf('a')).toBe(`sha256-${createHash('sha256').update('a').digest('base64')}`);
  });
});
