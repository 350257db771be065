// Addresses and trackers without a browser, and the text pass before parsing.

import { describe, expect, test } from 'vitest';
import { findCid, findDataImage, findRemoteUrl, findSafeLink } from './addresses-in-html.ts';
import { quietMarkup, showStyleAttributes } from './quiet-markup.ts';
import { isHiddenPicture, isTrackerUrl } from './trackers.ts';

describe('links', () => {
  test.each([
    ['https://a.example/x?y=1#z', 'https://a.example/x?y=1#z'],
    [' HTTP://A.example ', 'http://a.example/'],
    ['//a.example/x', 'https://a.example/x'],
    ['mailto:a@b.de?subject=x', 'mailto:a@b.de?subject=x'],
    ['tel:+49123', 'tel:+49123'],
    ['#part-1', '#part-1'],
    ['javascript:alert(1)', null],
    ['java\tscript:alert(1)', null],
    ['\u0001javascript:alert(1)', null],
    ['vbscript:x', null],
    ['data:text/html,x', null],
    ['blob:https://a.example/1', null],
    ['file:///etc/passwd', null],
    ['/app/logout', null],
    ['logout', null],
    ['?x', null],
    ['', null],
    ['https://', null],
    ['cid:x', null],
    ['#a" onclick="b', null],
  ])('%j', (href, expected) => expect(findSafeLink(href)).toBe(expected));
});

describe('sources', () => {
  test('only full web addresses are remote', () => {
    expect(findRemoteUrl('ht\ntps://a.example/1')).toBe('https://a.example/1');
    expect(findRemoteUrl('\\\\a.example\\1')).toBe('https://a.example/1');
    for (const source of ['1.png', '/1.png', 'ftp://a.example/1', 'data:image/png,x', '']) {
      expect(findRemoteUrl(source)).toBeNull();
    }
  });

  test('finds Content-IDs and bitmaps in data URLs', () => {
    expect(findCid('cid:a%40b')).toBe('a@b');
    expect(findCid('CID:%zz')).toBe('%zz');
    expect(findCid('https://a')).toBeNull();
    expect(findDataImage('data:image/png;base64,AA AA')).toBe('data:image/png;base64,AAAA');
    for (const source of [
      'data:image/svg+xml;base64,AAAA',
      'data:text/html;base64,AAAA',
      'data:image/png,<svg>',
    ]) {
      expect(findDataImage(source)).toBeNull();
    }
  });
});

describe('trackers', () => {
  test.each([
    'https://x.us1.list-manage.com/track/open.php?u=1',
    'https://a.example/wf/open?upn=x',
    'https://a.example/pixel.gif?id=1',
  ])('%j', url => expect(isTrackerUrl(url)).toBe(true));
  test.each(['https://a.example/logo.png', 'https://notlist-manage.com/a.png', 'nonsense'])('not %j', url =>
    expect(isTrackerUrl(url)).toBe(false),
  );
  test('recognizes invisible pictures', () => {
    expect(isHiddenPicture('1', '1', '')).toBe(true);
    expect(isHiddenPicture(null, null, 'width:1px;height:0px')).toBe(true);
    expect(isHiddenPicture(null, null, 'display:none')).toBe(true);
    expect(isHiddenPicture(null, null, 'height:1px !important;width:1px !important')).toBe(true);
    expect(isHiddenPicture(null, null, 'display:block;max-height:1px;max-width:1px')).toBe(true);
    expect(isHiddenPicture('200', '0', '')).toBe(true);
    expect(isHiddenPicture('1', null, 'height:1px')).toBe(true);
    expect(isHiddenPicture(null, null, 'opacity:0.01')).toBe(true);
    expect(isHiddenPicture(null, null, 'opacity:0.5')).toBe(false);
    expect(isHiddenPicture(null, null, 'transform:scale(0)')).toBe(true);
    expect(isHiddenPicture('1', '100', '')).toBe(false);
    expect(isHiddenPicture(null, null, 'max-width:1px')).toBe(false);
  });
});

describe('the text pass', () => {
  const pass = (html: string) => quietMarkup(html, 'data-s');

  test.each([
    ['<p style="a">style="b"</p>', '<p data-s="a">style="b"</p>'],
    ["<p title=' style=x' STYLE=y>", "<p title=' style=x' data-s=y>"],
    ['<p/style="a"/class=b>', '<p/data-s="a"/class=b>'],
    ['<p title="a>b" style=c>', '<p title="a>b" data-s=c>'],
    ['<p onclick="x" on=y once>', '<p data-off="x" on=y data-off>'],
    ['a < b style="c"', 'a < b style="c"'],
    ['<!-- <p style="a"> --><p style="b">', '<!-- <p style="a"> --><p data-s="b">'],
    ['<!--><p style="a">', '<!--><p data-s="a">'],
    ['<textarea><p style="a"></textarea><p style="b">', '<textarea><p data-s="a"></textarea><p data-s="b">'],
    ['<script>a<b style=c</script>d', '<!----></script>d'],
    ['<textarea><p title="</textarea><img onerror=x>">', '<textarea><p title="</textarea><img data-off=x>">'],
    ['<base href="x">y', '<!---->y'],
    ['<p =style="a" style="b">', '<p =style="a" data-s="b">'],
    ['<p style', '<p data-s'],
  ])('%j', (html, expected) => {
    expect(pass(html).html).toBe(expected);
  });

  test('extracts style sheets with their media condition', () => {
    expect(pass('a<style media="print" type=x>p{}</style>b<STYLE>q{}')).toEqual({
      html: 'a<!----></style>b<!---->',
      sheets: [
        { css: 'p{}', media: 'print' },
        { css: 'q{}', media: '' },
      ],
    });
  });

  test('cuts excessive nesting but not long lists', () => {
    expect(pass(`${'<div>'.repeat(1_500)}x`).html.split('<div>').length - 1).toBe(1_000);
    const list = `<ul>${'<li>x<p>y<br>'.repeat(1_500)}</ul>${'<b>z</b>'.repeat(1_500)}`;
    expect(pass(list).html).toBe(list);
  });

  test('restores the style attributes in the browser’s output', () => {
    expect(showStyleAttributes('<p data-s="a">data-s="b"</p>', 'data-s')).toBe('<p style="a">data-s="b"</p>');
  });

  test('reads hostile markup in little time', () => {
    for (const html of [
      '<a '.repeat(60_000),
      '<!--'.repeat(50_000),
      '<p a="'.repeat(50_000),
      '<style>'.repeat(20_000),
      '<p ='.repeat(50_000),
      `<p ${' '.repeat(200_000)}style`,
    ]) {
      const start = performance.now();
      pass(`${html} style`);
      expect(performance.now() - start).toBeLessThan(30_000);
    }
  });
});
