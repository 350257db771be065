// The CSS filter without a browser: kept and removed CSS, and idempotent output.

import { describe, expect, test } from 'vitest';
import { filterDeclarations, filterStylesheet } from './css-filter.ts';
import { formatName, formatString, tokenizeCss } from './css-tokens.ts';

const deny = () => null;

describe('the declaration filter', () => {
  test.each([
    ['color:red', 'color:red'],
    [' COLOR : Red ; ; margin:0 auto!important', 'color:Red;margin:0 auto!important'],
    [
      'background:linear-gradient(to right,#fff 0%,rgba(0,0,0,.5) 100%)',
      'background:linear-gradient(to right,#fff 0%,rgba(0,0,0,.5) 100%)',
    ],
    ["font-family:'A \\'B',serif", 'font-family:"A \'B",serif'],
    ['width:calc(100% - 2px)', 'width:calc(100% - 2px)'],
    [
      'mso-line-height-rule:exactly;-webkit-text-size-adjust:100%',
      'mso-line-height-rule:exactly;-webkit-text-size-adjust:100%',
    ],
    ['--a:1px;width:var(--a)', '--a:1px;width:var(--a)'],
    ['width:calc(1px', 'width:calc(1px)'],
    ['color:red}b{color:blue', ''],
    ['background:url(x)', ''],
    ['background:u\\72 l("x")', ''],
    ['b\\61 ckground:URL( x )', ''],
    ['background:image-set("x" 1x)', ''],
    ['background:-webkit-image-set(url(x) 1x)', ''],
    ['--a:url(x);color:var(--a)', 'color:var(--a)'],
    ['color:var(--x,url(x))', ''],
    ['width:expression(alert(1))', ''],
    ['width:attr(data-x)', ''],
    ['behavior:none;-moz-binding:none', ''],
    ['position:fixed', ''],
    ['position:\\66ixed', ''],
    ['position:absolute', 'position:absolute'],
    ['position:var(--p);--p:fixed', ''],
    ['content:"</style><script>"', 'content:"\\3c /style\\3e \\3c script\\3e "'],
    ["color:'\n;width:1px", 'width:1px'],
    ['a:b{c:d};width:1px', 'width:1px'],
    ['@import "x";width:1px', 'width:1px'],
    ['color', ''],
    [':red;color:blue', 'color:blue'],
    ['color:re/**/d', 'color:re d'],
    ['background:u/**/rl(x)', ''],
    ['color:\\', ''],
    ['', ''],
  ])('%j', (style, expected) => {
    const clean = filterDeclarations(style, deny);
    expect(clean).toBe(expected);
    expect(filterDeclarations(clean, deny)).toBe(clean);
  });

  test('passes addresses to the resolver with all escapes decoded', () => {
    const seen: string[] = [];
    const note = (url: string) => {
      seen.push(url);
      return null;
    };
    filterDeclarations(
      'a:url(ht\\74p://x/1);b:url( "http://x/\\32 " );c:image-set("http://x/3" 1x);d:f(url(http://x/4))',
      note,
    );
    filterStylesheet(
      '@import "http://x/5";@import url(http://x/6);@font-face{src:url(http://x/7)}.a{b{c:url(http://x/8)}}',
      note,
    );
    expect(seen).toEqual(
      expect.arrayContaining([
        'http://x/1',
        'http://x/2',
        'http://x/3',
        'http://x/4',
        'http://x/5',
        'http://x/6',
        'http://x/7',
      ]),
    );
  });

  test('reports only URLs of visible pictures as shown', () => {
    const shown: string[] = [];
    const note = (url: string, isShown: boolean) => {
      if (isShown) shown.push(url);
      return null;
    };
    filterDeclarations(
      'background:url(a);cursor:url(n1),auto;behavior:url(n2);filter:url(n3);mask:url(n4);--x:url(n5);list-style:url(b)',
      note,
    );
    filterStylesheet(
      '@import url(n6);@namespace url(n7);@font-face{src:url(n8)}@media print{p{background:url(n9)}}' +
        '@media only screen and (max-width:9px),print{p{content:url(c)}}@page{background:url(n10)}a(b{background:url(n11)}',
      note,
    );
    expect(shown).toEqual(['a', 'b', 'c']);
  });

  test('turns lengths relative to the frame height into fixed ones', () => {
    expect(filterDeclarations('min-height:100vh;width:calc(50dvh + 1px);max-width:100vw', deny)).toBe(
      'min-height:800px;width:calc(400px + 1px);max-width:100vw',
    );
  });

  test('uses the resolver’s result only where a picture is allowed', () => {
    const give = (url: string) => `blob:${url}")`;
    expect(filterDeclarations('background:url(a) red', give)).toBe('background:url("blob:a\\22 )") red');
    expect(filterDeclarations('cursor:url(a),auto;filter:url(a);border-image:url(a)', give)).toBe('');
  });
});

describe('the style sheet filter', () => {
  test.each([
    ['p{color:red}', 'p{color:red}'],
    ['<!-- p{color:red} -->', 'p{color:red}'],
    ['a:hover > b[href^="x"]::before , *{color:red}', 'a:hover > b[href^="x"]::before , *{color:red}'],
    [
      '@media only screen and (max-width:480px){.a{width:1px!important}}',
      '@media only screen and (max-width:480px){.a{width:1px!important}}',
    ],
    ['@media (width < 5px){a{b:c}}', '@media (width <  5px){a{b:c}}'],
    ['@charset "x";@import "y";p{color:red}', 'p{color:red}'],
    ['@font-face{font-family:a;src:url(b)}p{c:d}', 'p{c:d}'],
    ['@keyframes k{from{opacity:0}50%{opacity:1}}', '@keyframes k{from{opacity:0}\n50%{opacity:1}}'],
    ['.a{color:red;.b{background:url(x)}margin:0}', '.a{color:red;margin:0}'],
    ['.a{background:url(x)}', ''],
    ['.a\\{b{color:red}', '.a\\7b b{color:red}'],
    ['.a{color:red', '.a{color:red}'],
    ['@media x{.a{color:red', '@media x{.a{color:red}}'],
    ['}p{color:red}', 'p{color:red}'],
    ['a(b{color:red}', ''],
    ['@supports (background:url(x)){p{c:d}}', ''],
    ['@page{margin:0}p{c:d}', 'p{c:d}'],
    ['@unknown{p{c:d}}', ''],
  ])('%j', (css, expected) => {
    const clean = filterStylesheet(css, deny);
    expect(clean).toBe(expected);
    expect(clean).not.toMatch(/<\/|<!/);
  });

  test('lets the caller decide conditions and keeps layers and names', () => {
    const seen: string[] = [];
    const clean = filterStylesheet(
      '@media (hover){@supports (display:grid){a{color:red}}}@container x (width > 1px){b{color:red}}' +
        '@layer l{i{color:red}}@keyframes k{from{opacity:0}}@media (dark){p{background:url(x)}}',
      deny,
      (rule, condition) => {
        seen.push(`${rule} ${condition}`);
        return 'all';
      },
    );
    expect(clean.replaceAll('\n', '')).toBe(
      '@media all{@media all{a{color:red}}}@media all{b{color:red}}@layer l{i{color:red}}@keyframes k{from{opacity:0}}',
    );
    expect(seen.toSorted()).toEqual([
      'container x (width > 1px)',
      'media (dark)',
      'media (hover)',
      'supports (display:grid)',
    ]);
  });

  test.each([
    'background:image-set("https://x.test/1" 1x, "https://x.test/2" 2x)',
    'background:-webkit-image-set(url(https://x.test/1) 1x)',
    'content:image-set(url(https://x.test/1) 1x)',
    'cursor:url(https://x.test/1),auto',
    'border-image-source:url(https://x.test/1)',
    'mask-image:url(https://x.test/1)',
    'shape-outside:url(https://x.test/1)',
    'filter:url(https://x.test/1#a)',
    'offset-path:url(https://x.test/1)',
    '--picture:url(https://x.test/1)',
    'background:if(media(hover): url(https://x.test/1))',
    'background:cross-fade(url(https://x.test/1),url(https://x.test/2))',
  ])('requests no picture for %j', style => {
    const loaded: string[] = [];
    const give = (url: string, isShown: boolean) => {
      if (isShown) loaded.push(url);
      return url;
    };
    expect(filterDeclarations(style, give)).toBe('');
    expect(filterStylesheet(`p{${style}}@font-face{font-family:a;src:url(https://x.test/f)}`, give)).toBe('');
    expect(loaded).toEqual([]);
  });

  test('handles endless nesting and length in bounded time', () => {
    const start = performance.now();
    filterStylesheet('@media x{'.repeat(10_000), deny);
    filterStylesheet('.a{'.repeat(20_000), deny);
    filterDeclarations('a:'.concat('f('.repeat(50_000)), deny);
    filterDeclarations('\\'.repeat(100_000), deny);
    expect(filterStylesheet(`p{color:red}${' '.repeat(500_000)}`, deny)).toBe('');
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});

describe('tokens', () => {
  test('names and strings have one canonical form', () => {
    expect(formatName('a b')).toBe('a\\20 b');
    expect(formatName('1a')).toBe('\\31 a');
    expect(formatName('-')).toBe('\\2d ');
    expect(formatString('a"b\\c\n')).toBe('"a\\22 b\\5c c\\a "');
    for (const name of ['a b', '1a', '-1', 'é', 'x</style>', '\u0001']) {
      expect(tokenizeCss(formatName(name))).toEqual([{ kind: 'ident', text: name }]);
      expect(tokenizeCss(formatString(name))).toEqual([{ kind: 'string', text: name }]);
    }
  });
});
