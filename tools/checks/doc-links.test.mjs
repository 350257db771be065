import { describe, expect, it } from 'vitest';
import { anchorOf, anchorsOf, findCitations, findDeadCitations } from './doc-links.mjs';

describe('anchors', () => {
  it.each([
    ['Keys and `npm run`', 'keys-and-npm-run'],
    ['What, and why?', 'what-and-why'],
    ['10. Protocol [here](x.md)', '10-protocol-here'],
    ['Größe', 'größe'],
  ])('%s is %s', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });

  it('are numbered when they come again, and not taken out of code', () => {
    const text = '# A\n## A\n```\n# B\n```\n### C #\n';
    expect([...anchorsOf(text)]).toEqual(['a', 'a-1', 'c-']);
  });
});

describe('citations', () => {
  it('of a document are its links to other files of the tree', () => {
    const text =
      '[a](b.md#c) [d](#e) [f](https://g.example/h.md) `[i](j.md)`\n```\n[k](l.md)\n```\n[m](../n/)';
    expect(findCitations('docs/x.md', text)).toEqual([
      { target: 'docs/b.md', anchor: 'c' },
      { target: 'docs/x.md', anchor: 'e' },
      { target: 'n/', anchor: undefined },
    ]);
  });

  it('of a source are documents below docs', () => {
    expect(findCitations('a.ts', '// see docs/crypto.md#wraps, docs/adr/0020, and mydocs/x.md')).toEqual([
      { target: 'docs/crypto.md', anchor: 'wraps' },
      { target: 'docs/adr/0020', anchor: undefined },
    ]);
  });

  it('that lead nowhere are told', () => {
    const texts = { 'a.md': '[x](b.md) [y](b.md#there) [z](b.md#gone) [w](c.md)', 'b.md': '# There' };
    expect(findDeadCitations(texts, place => place in texts)).toEqual([
      'a.md names b.md#gone: there is no such heading.',
      'a.md names c.md, which is not there.',
    ]);
  });
});
