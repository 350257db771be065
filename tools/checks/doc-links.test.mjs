import { describe, expect, it } from 'vitest';
import {
  anchorOf,
  anchorsOf,
  findCitations,
  findDeadCitations,
  findOutsideCitations,
  findSilentCanary,
} from './doc-links.mjs';

describe('anchors', () => {
  it.each([
    ['Keys and `npm run`', 'keys-and-npm-run'],
    ['What, and why?', 'what-and-why'],
    ['10. Protocol [here](x.md)', '10-protocol-here'],
    ['Größe', 'größe'],
  ])('%s is %s', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });

  it('are numbered when repeated and ignored in code', () => {
    const text = '# A\n## A\n```\n# B\n```\n### C #\n';
    expect([...anchorsOf(text)]).toEqual(['a', 'a-1', 'c-']);
  });
});

describe('citations', () => {
  it('in a document are its links to files of the repository', () => {
    const text =
      '[a](b.md#c) [d](#e) [f](https://g.example/h.md) `[i](j.md)`\n```\n[k](l.md)\n```\n[m](../n/)';
    expect(findCitations('docs/x.md', text)).toEqual([
      { target: 'docs/b.md', anchor: 'c' },
      { target: 'docs/x.md', anchor: 'e' },
      { target: 'n/', anchor: undefined },
    ]);
  });

  it('in a source are documents below docs', () => {
    expect(findCitations('a.ts', '// see docs/crypto.md#wraps, docs/adr/0020, and mydocs/x.md')).toEqual([
      { target: 'docs/crypto.md', anchor: 'wraps' },
      { target: 'docs/adr/0020', anchor: undefined },
    ]);
  });

  it('without a target are reported', () => {
    const texts = { 'a.md': '[x](b.md) [y](b.md#there) [z](b.md#gone) [w](c.md)', 'b.md': '# There' };
    expect(findDeadCitations(texts, place => place in texts)).toEqual([
      'a.md cites b.md#gone, which has no such heading.',
      'a.md cites c.md, which does not exist.',
    ]);
  });

  it('may name several headings of one document, or ids of its rows', () => {
    const text =
      '// docs/interpretations.md#21 to #24, and docs/spec-map.md 2.01,\n// 3; docs/acceptance.md 20. Then 5 more.';
    expect(findCitations('a.ts', text)).toEqual([
      { target: 'docs/interpretations.md', anchor: '21' },
      { target: 'docs/interpretations.md', anchor: '24' },
      { target: 'docs/spec-map.md', id: '2.01' },
      { target: 'docs/spec-map.md', id: '3' },
      { target: 'docs/acceptance.md', id: '20' },
    ]);
  });

  it('of ids without a row are reported', () => {
    const texts = {
      'docs/spec-map.md': '## 2. Screens\n| 2.01 | x |\n',
      'a.ts': '// docs/spec-map.md 2, 2.01, 2.02.',
    };
    expect(findDeadCitations(texts, place => place in texts)).toEqual([
      'a.ts cites docs/spec-map.md 2.02, which has no such row.',
    ]);
  });

  it('of documents outside the repository are refused', () => {
    const known = new Set(['README.md', 'packages/a/NOTICE.md']);
    const isKnown = place => known.has(place);
    const find = text => findOutsideCitations('packages/a/src/b.ts', text, isKnown);
    expect(find('// README.md, Start; NOTICE.md')).toEqual([]);
    expect(find('// protocol.md §4 and wiki/page.md')).toHaveLength(2);
    expect(find('// Spec §7, readings 21')).toHaveLength(2);
    expect(find('// RFC 5321 §4, two readings')).toEqual([]);
    expect(findOutsideCitations('a.md', 'as api.md has it', isKnown)).toHaveLength(1);
  });

  it('of the canary are refused, and a silent canary is reported', () => {
    expect(findSilentCanary({}, () => false)).toEqual([]);
    expect(findSilentCanary({}, () => true)).not.toEqual([]);
  });
});
