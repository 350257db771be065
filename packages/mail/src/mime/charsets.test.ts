// Decoder tests with correct, wrong and missing labels: it never throws, and never returns U+FFFD
// when a character set fits the bytes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOfLatin1, concatBytes, utf8 } from '../bytes.ts';
import { decodeText, findMetaCharset } from './charsets.ts';
import { decodeWords } from './encoded-words.ts';
import { parseMessage } from './parse.ts';
import { readSimpleMessage } from './simple-message.ts';
import { makeSummary, summarize } from './summary.ts';

const hex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], pair => Number.parseInt(pair, 16));
const b64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

describe('a correct charset label', () => {
  test.each([
    ['ks_c_5601-1987', hex('94ee20c8b8c0c720c0d4b4cfb4d9'), '뷁 회의 입니다'],
    ['windows-949', hex('94ee'), '뷁'],
    ['x-windows-949', hex('94ee'), '뷁'],
    ['Big5-HKSCS', hex('8862 8864 fbfd a4a4'), 'Ê̄Ê̌廴中'],
    ['koi8-u', hex('f7a6d4c1a4cdcf'), 'Вітаємо'],
    ['KOI8-R', hex('f0d2c9d7c5d4'), 'Привет'],
    ['koi8-t', hex('d4cfdec9cb80'), 'точикқ'],
    ['mac-roman', hex('4772 9f a7 65'), 'Grüße'],
    ['x-mac-ce', hex('bf e7'), 'ŅÁ'],
    ['x-mac-centraleurroman', hex('88 8b'), 'ąč'],
    ['x-mac-greek', hex('e1 e2'), 'αβ'],
    ['x-mac-turkish', hex('df 64 db'), 'şdğ'],
    ['x-mac-romanian', hex('bf df'), 'șț'],
    ['x-mac-icelandic', hex('df e0 dd'), 'þýð'],
    ['x-mac-hebrew', hex('f9 ec e5 ed'), 'שלום'],
    ['x-mac-ukrainian', hex('8f f0 e8 e2 b4 f2'), 'Привіт'],
    ['cp437', hex('81 94 e1'), 'üöß'],
    ['cp-850', hex('81 d5'), 'üı'],
    ['CP858', hex('d5'), '€'],
    ['ibm852', hex('a5 86'), 'ąć'],
    ['ibm00858', hex('d5'), '€'],
    ['dos-862', hex('99 8c 85 8d'), 'שלום'],
    ['cp866', hex('8f e0 a8 a2 a5 e2'), 'Привет'],
    ['iso-2022-jp', b64('GyRCRnxLXBsoQiE='), '日本!'],
    ['iso-2022-jp-2', hex('1b2441 5656 1b2842 1b242843 4751 1b2842'), '种한'],
    ['iso-2022-jp-1', hex('1b242844 3021 1b2842'), '丂'],
    ['iso-2022-jp-3', hex('1b24284f 467c 1b2842'), '日'],
    ['iso-2022-jp', hex('1b2849 4331 1b2842'), 'ﾃｱ'],
    ['iso-2022-kr', hex('1b242943 0e 47513139 0f 21'), '한국!'],
    ['iso-2022-cn', hex('1b242941 0e 5650 4e44 0f 21'), '中文!'],
    ['iso-2022-cn', hex('1b242947 0e 4463 0f'), '中'],
    ['hz-gb-2312', bytesOfLatin1('~{VPND~} a~~'), '中文 a~'],
    ['utf-7', bytesOfLatin1('Hi +AOk- +-'), 'Hi é +'],
    ['utf-16', hex('feff 0048 00e9'), 'Hé'],
    ['utf-16', hex('fffe 4800 e900'), 'Hé'],
    ['utf-16', hex('4800 6900 2000 e900'), 'Hi é'],
    ['utf-16', hex('0048 0069 0020 00e9'), 'Hi é'],
    ['utf-16be', hex('0048 00e9 0021 0020'), 'Hé! '],
    ['utf-32', hex('0000feff 00000048 0001f389'), 'H🎉'],
    ['utf-16', bytesOfLatin1('<p>plain</p>'), '<p>plain</p>'],
    ['gb2312', hex('c4e3 81308130 fd9b'), '你\u0080龥'],
    ['cp932', hex('8740 fa5c'), '①纊'],
    ['"utf-8"', utf8('ü'), 'ü'],
    ['utf-8;format=flowed', utf8('ü'), 'ü'],
    ['utf_8', utf8('ü'), 'ü'],
    ['UTF8', utf8('\ufeffü'), 'ü'],
    ['iso-8859-1', bytesOfLatin1('a\0b\xfc'), 'a\0bü'],
  ])('%s', (label, bytes, text) => expect(decodeText(bytes, label)).toBe(text));
});

// Labels that do not match the bytes.
const WRONG: readonly [label: string, bytes: Uint8Array, text: string][] = [
  [
    'utf-8',
    bytesOfLatin1('Gr\xfc\xdfe aus K\xf6ln, das Men\xfc kostet 12 \x80.'),
    'Grüße aus Köln, das Menü kostet 12 €.',
  ],
  ['iso-8859-1', bytesOfLatin1('\x93Hello\x94 \x96 it\x92s 5 \x80'), '“Hello” – it’s 5 €'],
  ['us-ascii', bytesOfLatin1('na\xefve caf\xe9'), 'naïve café'],
  ['iso-8859-2', utf8('Dzień dobry, proszę zobaczyć załącznik.'), 'Dzień dobry, proszę zobaczyć załącznik.'],
  ['iso-8859-1', utf8('Grüße'), 'Grüße'],
  ['windows-1251', utf8('Привет из Москвы'), 'Привет из Москвы'],
  ['gb2312', utf8('这是一个测试'), '这是一个测试'],
  ['shift_jis', utf8('日本語のメール'), '日本語のメール'],
  ['utf-8', hex('f0d2c9d7c5d420c9da20edcfd3cbd7d9'), 'Привет из Москвы'],
  ['utf-8', hex('cff0e8e2e5f220e8e720cceef1eae2fb'), 'Привет из Москвы'],
  ['utf-8', hex('447a6965f120646f6272792c2070726f737aea206f20b3f364bc'), 'Dzień dobry, proszę o łódź'],
  ['utf-8', hex('d6d0cec4d3cabcfe'), '中文邮件'],
  ['utf-8', hex('b77cc4b3b371aabe'), '會議通知'],
  ['utf-8', hex('bec8b3e7c7cfbcbcbfe4'), '안녕하세요'],
  ['utf-8', hex('93fa967b8cea82cc838182815b838b'.replace('82815b', '815b')), '日本語のメール'],
  ['us-ascii', b64('GyRCRnxLXBsoQg=='), '日本'],
  ['utf-8', b64('GyRCRnxLXBsoQg=='), '日本'],
  ['x-unknown', hex('f0d2c9d7c5d4'), 'Привет'],
  ['default', bytesOfLatin1('M\xfcller'), 'Müller'],
  ['', bytesOfLatin1('\xe9'), 'é'],
  ['utf-8', hex('f9ece5ed20ecebed'), 'שלום לכם'],
  ['utf-8', hex('cac7d1cab4d5a4c3d1ba'), 'สวัสดีครับ'],
  ['utf-8', hex('e3d1cdc8c720c8dfe320dded20c7e1e3cfede4c9'), 'مرحبا بكم في المدينة'],
  ['utf-8', hex('cae1ebe7ecddf1e120f3e1f2'), 'Καλημέρα σας'],
];

describe('a wrong charset label', () => {
  test.each(WRONG)('%s', (label, bytes, text) => expect(decodeText(bytes, label)).toBe(text));

  test('falls back to the next label, then to the bytes', () => {
    const bytes = hex('b1b6bc');
    expect(decodeText(bytes, 'utf-8', 'iso-8859-2')).toBe('ąśź');
    expect(decodeText(hex('f0d2c9d7c5d4'), null, 'no-such-set', 'koi8-r')).toBe('Привет');
  });

  test('keeps both UTF-8 and a few bytes of another charset', () => {
    const mixed = concatBytes([utf8('Schöne Grüße aus Köln und Århus\n'), bytesOfLatin1('Fu\xdfnote')]);
    expect(decodeText(mixed, 'utf-8')).toBe('Schöne Grüße aus Köln und Århus\nFußnote');
  });

  test('drops a character truncated at the end', () => {
    expect(decodeText(utf8('日本語').subarray(0, 8), 'utf-8')).toBe('日本');
    expect(decodeText(hex('d6d0cec4d3'), 'gb2312')).toBe('中文');
  });

  test('keeps a GBK character whose bytes are also valid UTF-8', () => {
    expect(decodeText(hex('d0a1'), 'gbk')).toBe('小');
  });
});

describe('encoded words in headers', () => {
  test.each([
    ['=?iso-8859-2?Q?Wyci=C4=85g?=', 'Wyciąg'],
    ['=?ks_c_5601-1987?B?yLjAxyC+yLO7IJTu?=', '회의 안내 뷁'],
    ['=?utf-8?Q?Gr=FC=DFe?=', 'Grüße'],
    ['=?us-ascii?Q?caf=C3=A9?=', 'café'],
    ['=?x-unknown?B?8NLJ18XU?=', 'Привет'],
    ['=?gb2312?B?1tA=?= =?gb2312?B?zsQ=?=', '中文'],
    ['=?gb2312?Q?=D6?= =?gb2312?Q?=D0?=', '中'],
    ['=?big5?Q?=A4?= =?big5?Q?=A4?=', '中'],
    ['=?utf-8?B?PT91dGYtOD9RP0dyPUMzPUJDPUMzPTlGZT89?=', 'Grüße'],
    ['=?utf-16?B?/v8ATwBL?=', 'OK'],
    ['=?"utf-8"?Q?=C3=BC?=', 'ü'],
  ])('%s', (value, text) => expect(decodeWords(value)).toBe(text));
});

const head = 'To: anna@keyfold.test\r\nDate: Tue, 03 Mar 2026 10:15:00 +0100\r\nMIME-Version: 1.0\r\n';
const NOW = '2026-03-03T10:00:00.000Z';

describe('messages, in the reader and in the summary', () => {
  const both = async (raw: Uint8Array) => {
    const message = await parseMessage(raw);
    expect(await summarize(raw, NOW)).toEqual(makeSummary(message, NOW));
    return message;
  };

  test('raw headers use the charset of the body', async () => {
    const raw = concatBytes([
      bytesOfLatin1('From: \xe9\xd7\xc1\xce \xf0\xc5\xd4\xd2\xcf\xd7 <ivan@ru.example>\r\n'),
      bytesOfLatin1('Subject: \xf0\xd2\xc9\xd7\xc5\xd4 \xc9\xda \xed\xcf\xd3\xcb\xd7\xd9\r\n'),
      bytesOfLatin1(`${head}Content-Type: text/plain; charset=koi8-r\r\n\r\n\xeb\xc1\xcb \xc4\xc5\xcc\xc1?`),
    ]);
    const message = await both(raw);
    expect(message.from).toEqual({ name: 'Иван Петров', address: 'ivan@ru.example' });
    expect(message.subject).toBe('Привет из Москвы');
    expect(message.text?.trim()).toBe('Как дела?');
  });

  test('raw headers of a multipart use the charset of its first part', async () => {
    const raw = bytesOfLatin1(
      `From: Ewa <ewa@pl.example>\r\nSubject: \xaf\xf3\xb3w\r\n${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n` +
        '--b\r\nContent-Type: text/plain; charset=iso-8859-2\r\n\r\nZa\xbf\xf3\xb3\xe6\r\n--b--\r\n',
    );
    const message = await both(raw);
    expect(message.subject).toBe('Żółw');
    expect(message.text?.trim()).toBe('Zażółć');
  });

  test('raw headers beside a body without a charset are decoded by guess', async () => {
    const raw = bytesOfLatin1(
      `From: a@jp.example\r\nSubject: \x89\xef\x8bc\x82\xcc\x82\xa8\x92m\x82\xe7\x82\xb9\r\n${head}\r\nok`,
    );
    expect((await both(raw)).subject).toBe('会議のお知らせ');
  });

  test('encoded words of unknown charset use the charset of the body', async () => {
    const raw = bytesOfLatin1(
      `From: =?unknown-8bit?B?8NLJ18XU?= <p@ru.example>\r\nSubject: =?x-unknown?Q?=C4=CF?=\r\n${head}Content-Type: text/plain; charset=koi8-r\r\n\r\n\xc4\xc1`,
    );
    const message = await both(raw);
    expect(message.from?.name).toBe('Привет');
    expect(message.subject).toBe('до');
  });

  test.each([
    [
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2"></head>',
      'text/html',
    ],
    ['<meta charset="ISO-8859-2">', 'text/html; charset=us-ascii'],
    ['<?xml version="1.0" encoding="iso-8859-2"?><html>', 'text/html; charset=utf-8'],
  ])('HTML may declare its own charset: %s', async (start, type) => {
    const raw = bytesOfLatin1(
      `From: a@b.example\r\nSubject: x\r\n${head}Content-Type: ${type}\r\n\r\n${start}<p>Za\xbf\xf3\xb3\xe6 g\xea\xb6l\xb1 ja\xbc\xf1</p>`,
    );
    const message = await both(raw);
    expect(message.html).toContain('Zażółć gęślą jaźń');
  });

  test.each([
    ['utf-8', 'filename="\xdcbersicht M\xe4rz.pdf"', 'Übersicht März.pdf'],
    ['koi8-r', 'filename="\xf3\xde\xc5\xd4.pdf"', 'Счет.pdf'],
    ['utf-8', `filename*=iso-8859-1''%DCbung.pdf`, 'Übung.pdf'],
    ['utf-8', `filename*=utf-8''%DCbung%20eins.pdf`, 'Übung eins.pdf'],
    ['utf-8', `filename*=koi8-r'ru'%F3%DE%C5%D4.pdf`, 'Счет.pdf'],
    ['utf-8', 'filename="=?ks_c_5601-1987?B?yLjAxw==?=.pdf"', '회의.pdf'],
  ])('file names beside a body in %s are decoded: %s', async (charset, parameter, name) => {
    const raw = bytesOfLatin1(
      `From: a@b.example\r\nSubject: x\r\n${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=${charset}\r\n\r\nSee.\r\n` +
        `--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; ${parameter}\r\n\r\nJVBERi0xLjQK\r\n--b--\r\n`,
    );
    const [file] = (await parseMessage(raw)).attachments;
    expect(file?.filename).toBe(name);
    expect(file?.content).toEqual(utf8('%PDF-1.4\n'));
  });

  test.each(WRONG.filter(([label, bytes]) => label !== '' && !bytes.includes(0)))(
    'a body labeled %s is decoded',
    async (label, bytes, text) => {
      const raw = concatBytes([
        bytesOfLatin1(
          `From: a@b.example\r\nSubject: x\r\n${head}Content-Type: text/plain; charset=${label}\r\n\r\n`,
        ),
        bytes,
      ]);
      expect((await both(raw)).text?.trim()).toBe(text);
      expect(readSimpleMessage(raw)?.text).toBe(text);
    },
  );
});

test('an HTML charset declaration is read in its valid forms only', () => {
  expect(
    findMetaCharset(utf8('<META content="text/html;charset=windows-1251" http-equiv=Content-Type>')),
  ).toBe('windows-1251');
  expect(findMetaCharset(utf8("<meta charset='utf-16'>"))).toBe(null);
  expect(findMetaCharset(utf8('<p>charset=koi8-r</p>'))).toBe(null);
});

const LABELS = [
  ...[
    'utf-8',
    'utf-16',
    'utf-16be',
    'utf-32',
    'utf-7',
    'us-ascii',
    'iso-8859-1',
    'iso-8859-2',
    'iso-8859-8-i',
    'windows-1251',
  ],
  ...[
    'koi8-r',
    'ks_c_5601-1987',
    'big5-hkscs',
    'gb2312',
    'gb18030',
    'shift_jis',
    'euc-jp',
    'iso-2022-jp',
    'iso-2022-kr',
    'iso-2022-cn',
  ],
  ...[
    'hz',
    'x-mac-hebrew',
    'mac-thai',
    'cp437',
    'cp864',
    'ibm869',
    'tis-620',
    'viscii',
    'x-user-defined',
    'replacement',
    'default',
  ],
];
const label = fc.oneof(fc.constantFrom(...LABELS), fc.constant(null), fc.string({ maxLength: 12 }));

test('any bytes decode under any label, without U+FFFD where some charset fits', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), label, label, (bytes, first, second) => {
      const text = decodeText(bytes, first, second);
      // Windows-1252 has a character for every byte: U+FFFD may appear only if the input contains
      // it.
      if (!bytes.toString().includes('239,191,189')) expect(text).not.toContain('\ufffd');
    }),
    { numRuns: 3_000 },
  );
});

test('encoded words of any charset decode', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(label, fc.uint8Array({ maxLength: 20 })), { maxLength: 5 }), words => {
      const value = words
        .map(([charset, bytes]) => `=?${charset ?? 'x'}?B?${Buffer.from(bytes).toString('base64')}?=`)
        .join(' ');
      expect(typeof decodeWords(value)).toBe('string');
    }),
  );
});

test('charset guessing stops after 100 parts of a message', async () => {
  const parts = Array.from(
    { length: 1_000 },
    (_, index) =>
      `--b\r\nContent-Type: text/plain; charset=x-${index}\r\n\r\nЗдравствуйте, это письмо номер ${index}\r\n`,
  );
  const raw = concatBytes([
    bytesOfLatin1('From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'),
    ...parts.map(part => Uint8Array.from(part, char => CP1251.get(char) ?? char.charCodeAt(0))),
    bytesOfLatin1('--b--\r\n'),
  ]);
  const { text } = await parseMessage(raw);
  expect(text?.match(/Здравствуйте/g)).toHaveLength(100);
  expect(text?.match(/Çäðàâñòâóéòå/g)).toHaveLength(900);
});

const CP1251 = new Map(
  Array.from({ length: 64 }, (_, index): [string, number] => [
    String.fromCharCode(0x410 + index),
    0xc0 + index,
  ]),
);
