// The stored header block, the hp="cipher" rule, and edits of a header block.

import { describe, expect, test } from 'vitest';
import { byteString, bytesOfLatin1, utf8 } from '../bytes.ts';
import { headerText, prependHeaders, removeHeaders, storedHeadersOf, stripBcc } from './edit.ts';
import { findHeader, findIsoDate, parseReferences, readHeaders } from './headers.ts';
import {
  assembleRaw,
  buildStoredHeaders,
  createMessageId,
  formatHeader,
  readAuthenticationResults,
  sanitizeHeaderValue,
} from './stored-headers.ts';

describe('the stored header block', () => {
  test('keeps the fields of protocol section 5 and hides the subject', () => {
    const raw = bytesOfLatin1(
      'Received: secret\r\nAuthentication-Results: forged; spf=pass\r\nFrom: =?utf-8?Q?J=C3=BCrgen?= <a@b.cd>\r\n' +
        'To: c@d.ef, X <g@h.ij>\r\nBcc: hidden@example.org\r\nSubject: secret\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n' +
        'Message-ID: <1@b.cd>\r\nReferences: <0@b.cd> junk\r\n <2@b.cd>\r\nX-Mailer: secret\r\n' +
        'Content-Type: text/plain\r\n\r\nsecret',
    );
    expect(storedHeadersOf(raw, ['mx.example.org; dkim=pass'])).toBe(
      'Authentication-Results: mx.example.org; dkim=pass\r\nFrom: =?UTF-8?Q?J=C3=BCrgen?= <a@b.cd>\r\n' +
        'To: c@d.ef, X <g@h.ij>\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@b.cd>\r\n' +
        'References: <0@b.cd> <2@b.cd>\r\nSubject: [...]\r\nContent-Type: message/rfc822; hp="cipher"\r\n',
    );
  });

  test('leaves out hostile values', () => {
    const raw = utf8(
      'From: x\r\nTo: <a@b\u0001.cd>, "\u0000" <ok@example.org>\r\nDate: never\r\nMessage-ID: none\r\n\r\n',
    );
    expect(storedHeadersOf(raw)).not.toMatch(/(?![\r\n])\p{Cc}|Date|Message-ID/u);
  });

  test('a complete payload overrides the stored headers', () => {
    const payload = utf8('Subject: real\r\n\r\nbody');
    const stored = buildStoredHeaders({
      from: [{ name: '', address: 'a@b.cd' }],
      authenticationResults: ['mx; spf=pass'],
    });
    expect(assembleRaw(stored, payload)).toBe(payload);
    expect(readAuthenticationResults(stored)).toEqual(['mx; spf=pass']);
    expect(assembleRaw('Content-Type: message/rfc822;\r\n HP=Cipher\r\n', payload)).toBe(payload);
    for (const type of ['message/rfc822', 'message/rfc822; hp="clear"', 'text/plain; hp="cipher"']) {
      expect(byteString(assembleRaw(`Content-Type: ${type}\r\n`, payload))).toBe(
        `Content-Type: ${type}\r\n\r\nSubject: real\r\n\r\nbody`,
      );
    }
  });

  test('a message with its own From keeps its headers, whatever is stored', () => {
    const payload = utf8('From: a@b.cd\r\nTo: e@f.gh\r\n\r\nbody');
    const stored = 'From: spy@x.yz\r\nTo: spy@x.yz\r\nContent-Type: text/plain\r\n';
    expect(assembleRaw(stored, payload)).toBe(payload);
    expect(byteString(assembleRaw(stored, utf8('only words')))).toBe(`${stored}\r\nonly words`);
  });

  test('stored headers cannot add content', () => {
    const words = utf8('only words');
    for (const end of ['\r\n', '\n', '\r']) {
      const stored = `From: spy@x.yz${end}${end}<b>Pay at once</b><!--`;
      expect(byteString(assembleRaw(stored, words))).toBe('From: spy@x.yz\r\n\r\nonly words');
      expect(byteString(assembleRaw(`${end}Pay at once`, words))).toBe('\r\nonly words');
    }
  });
});

describe('header functions', () => {
  test('remove Bcc fields, also folded or oddly spelled, and nothing else', () => {
    const raw = bytesOfLatin1(
      'To: a\r\nBCC : b,\r\n c\r\nSubject: Bcc: x\r\nbcc: d\r\n\r\nBcc: body\r\n\xff',
    );
    expect([...stripBcc(raw)]).toEqual([
      ...bytesOfLatin1('To: a\r\nSubject: Bcc: x\r\n\r\nBcc: body\r\n\xff'),
    ]);
    const clean = bytesOfLatin1('To: a\r\n\r\n');
    expect(stripBcc(clean)).toBe(clean);
    expect(byteString(removeHeaders(raw, ['To', 'subject']))).toMatch(/^BCC/);
  });

  test('prepend fields with the line ends of the message', () => {
    expect(byteString(prependHeaders(bytesOfLatin1('A: b\n\nc'), 'X: 1\r\nY: 2\r\n'))).toBe(
      'X: 1\nY: 2\nA: b\n\nc',
    );
    expect(byteString(prependHeaders(bytesOfLatin1('A: b\r\n\r\nc'), 'X: 1\n'))).toBe(
      'X: 1\r\nA: b\r\n\r\nc',
    );
  });

  test('read fields in order, with duplicates and raw bytes', () => {
    const fields = readHeaders(
      bytesOfLatin1('A: 1\r\n folded\r\nno colon\r\nA: \xe9\r\nÂ From: x\r\n\r\nB: body'),
    );
    expect(fields.map(field => [field.key, field.value])).toEqual([
      ['a', '1 folded'],
      ['a', 'é'],
      [fields[2]?.key, 'x'],
    ]);
    expect(findHeader(fields, 'from')).toBeNull();
    expect(headerText(bytesOfLatin1('A: 1\r\n\r\nB'))).toBe('A: 1\r\n');
  });

  test('fold values, strip control characters and check names', () => {
    expect(sanitizeHeaderValue('a\r\n\tb\u0000c')).toBe('a b c');
    const folded = formatHeader('X-Long', 'word '.repeat(40));
    for (const line of folded.trimEnd().split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
    expect(readHeaders(utf8(folded))[0]?.value).toBe('word '.repeat(40).trim());
    expect(() => formatHeader('X\r\nY', 'z')).toThrow('Invalid header');
  });

  test('create unique Message-IDs and check their domain', () => {
    expect(createMessageId('Bücher.example')).toMatch(/^<[0-9a-f]{32}@xn--bcher-kva\.example>$/);
    expect(createMessageId('a.example')).not.toBe(createMessageId('a.example'));
    expect(() => createMessageId('a>\r\nX: y')).toThrow('Invalid address');
  });

  test('parse references and dates', () => {
    expect(parseReferences('<a@b> x <c@d><a@b> <e f@g>')).toEqual(['<a@b>', '<c@d>']);
    expect(findIsoDate('Thu, 1 Jan 1970 00:00:00 +0000 (UTC)')).toBe('1970-01-01T00:00:00.000Z');
    expect(findIsoDate('yesterday')).toBeNull();
  });
});
