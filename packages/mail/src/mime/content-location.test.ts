// Pictures that HTML references by Content-Location, as older programs, Word and saved pages do.
import { describe, expect, test } from 'vitest';
import { bytesOfLatin1 } from '../bytes.ts';
import { contentIdsIn, isShownInline } from './inline-files.ts';
import { parseMessage } from './parse.ts';
import { makeSummary } from './summary.ts';

type Parts = {
  html: string;
  htmlFields?: readonly string[];
  pictures: readonly (readonly string[])[];
  fields?: readonly string[];
};

const mail = ({ html, htmlFields = [], pictures, fields = [] }: Parts): Uint8Array =>
  bytesOfLatin1(
    [
      'From: a@b.example',
      ...fields,
      'Content-Type: multipart/related; boundary=r; type="text/html"',
      '',
      '--r',
      'Content-Type: text/html; charset=utf-8',
      ...htmlFields,
      '',
      html,
      ...pictures.flatMap((own, index) => [
        '--r',
        'Content-Type: image/png',
        'Content-Transfer-Encoding: base64',
        ...own,
        '',
        `iVBORw0KGgo${'ABCD'[index]}`,
      ]),
      '--r--',
      '',
    ].join('\r\n'),
  );

/** Returns for each picture, in message order, whether it is shown inside the text. */
async function shown(parts: Parts): Promise<boolean[]> {
  const { html, attachments } = await parseMessage(mail(parts));
  const ids = contentIdsIn(html);
  return attachments.map(file => isShownInline(file, ids));
}

describe('a picture is found', () => {
  test.each([
    [
      'its whole address',
      '<img src="http://x.example/p/a.png">',
      [],
      ['Content-Location: http://x.example/p/a.png'],
      [],
    ],
    ['a bare name', '<img src=a.png>', [], ['Content-Location: a.png'], []],
    [
      'a name in a folder',
      "<img src='./page_files/a%20b.png'>",
      [],
      ['Content-Location: page_files/a b.png'.replace(' b', '%20b')],
      [],
    ],
    [
      'the place of the HTML',
      '<img src="a.png">',
      ['Content-Location: http://x.example/p/index.html'],
      ['Content-Location: http://x.example/p/a.png'],
      [],
    ],
    [
      'the base of the HTML',
      '<img src="p/a.png">',
      ['Content-Base: "http://x.example/"'],
      ['Content-Location: http://x.example/p/a.png'],
      [],
    ],
    [
      'the base of the part',
      '<img src="http://x.example/p/a.png">',
      [],
      ['Content-Base: http://x.example/p/', 'Content-Location: a.png'],
      [],
    ],
    [
      'the base around both',
      '<img src="http://x.example/p/a.png">',
      [],
      ['Content-Location: p/a.png'],
      ['Content-Base: http://x.example/'],
    ],
    [
      'a base in the HTML',
      '<base href="http://x.example/p/"><img src="a.png">',
      [],
      ['Content-Location: http://x.example/p/a.png'],
      [],
    ],
    [
      'a file of a disk',
      '<img src="seite-dateien/a.png">',
      ['Content-Location: file:///C:/B1/seite.htm'],
      ['Content-Location: file:///C:/B1/seite-dateien/a.png'],
      [],
    ],
    [
      'a folded address',
      '<img src="http://x.example/p/a.png?x=1&amp;y=2">',
      [],
      ['Content-Location: http://x.example/p/', ' a.png?x=1&y=2'],
      [],
    ],
    ['a ground', '<td background="a.png">', [], ['Content-Location: a.png'], []],
    ['a style', '<div style="background:url(a.png)">', [], ['Content-Location: a.png'], []],
    ['a style in quotes', "<style>p{background:url('a.png')}</style>", [], ['Content-Location: a.png'], []],
  ])('by %s', async (_, html, htmlFields, picture, fields) => {
    expect(await shown({ html, htmlFields, pictures: [picture], fields })).toEqual([true]);
  });

  test('by its own location, with or without a Content-ID', async () => {
    const parts = {
      html: '<img src="one.png"><img src="cid:three@x"><img src="four.png">',
      pictures: [
        ['Content-Location: one.png'],
        ['Content-Location: two.png'],
        ['Content-ID: <three@x>'],
        ['Content-ID: <four@x>', 'Content-Location: four.png'],
      ],
    };
    expect(await shown(parts)).toEqual([true, false, true, true]);
    const { html, attachments } = await parseMessage(mail(parts));
    expect(html).toContain('src="cid:four%40x"');
    expect(attachments[0]?.contentId).toBe('<located-0@parts.invalid>');
    expect(makeSummary(await parseMessage(mail(parts)), '2026-01-01T00:00:00Z').attachments).toBe(1);
  });
});

test('an address without a matching part is left unchanged', async () => {
  const html = '<img src="http://x.example/other.png"><a href="a.png">a</a> <p>src="a.png in words';
  const { html: read, attachments } = await parseMessage(
    mail({ html, pictures: [['Content-Location: b.png']] }),
  );
  expect(read?.trim()).toBe(html);
  expect(attachments[0]?.contentId).toBeNull();
});

test('hostile HTML is rewritten in little time', async () => {
  const start = performance.now();
  for (const html of ['src="', "src='", 'url(', 'src =  ', '<base href='].map(piece => piece.repeat(60_000)))
    await parseMessage(mail({ html, pictures: [['Content-Location: a.png']] }));
  expect(performance.now() - start).toBeLessThan(20_000);
});
