import { AppError } from '@keyfold/contract/errors';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { withCrlf } from './outgoing.ts';
import { type Outgoing, rebuildHeader } from './outgoing-headers.ts';

const outgoing: Outgoing = {
  usedAddress: 'ann@keyfold.test',
  to: ['bob@outside.test'],
  cc: [],
  bcc: ['secret@outside.test'],
  date: new Date('2026-11-21T10:00:00Z'),
  messageId: '<m@keyfold.test>',
  feedbackId: 'mark',
};

function rebuild(text: string, changed: Partial<Outgoing> = {}): string {
  const raw = withCrlf(Buffer.from(text));
  const { header, bodyStart } = rebuildHeader(raw, { ...outgoing, ...changed });
  return Buffer.concat([header, raw.subarray(bodyStart)]).toString();
}

describe('the rebuilt header', () => {
  test('states sender, recipients, date and Message-ID in the server’s own form', () => {
    const text = rebuild(
      'From: "Ann A." <Ann@Keyfold.test>\r\nTo: Bob <bob@outside.test>\r\nDate: yesterday\r\nMessage-ID: <x@y>\r\n\r\nhi',
    );
    expect(text).toBe(
      [
        'From: "Ann A." <ann@keyfold.test>',
        'To: Bob <bob@outside.test>',
        'Date: Sat, 21 Nov 2026 10:00:00 +0000',
        'Message-ID: <m@keyfold.test>',
        'MIME-Version: 1.0',
        'CFBL-Address: abuse@keyfold.test; report=arf',
        'CFBL-Feedback-ID: mark',
        '',
        'hi',
      ].join('\r\n'),
    );
  });

  test('adds recipients that the composer omitted and removes those that must stay hidden', async () => {
    const parsed = await PostalMime.parse(
      rebuild('From: ann@keyfold.test\r\nTo: eve@third.test, SECRET@outside.test\r\n\r\n'),
    );
    expect(parsed.to?.map(({ address }) => address)).toEqual(['eve@third.test', 'bob@outside.test']);
  });

  test('refuses every From header except exactly one with the sender’s own address', () => {
    for (const from of [
      '',
      'From: bob@outside.test\r\n',
      'From: ann@keyfold.test, bob@outside.test\r\n',
      'From: ann@keyfold.test\r\nFrom: ann@keyfold.test\r\n',
      'From : ann@keyfold.test\r\nfrom: bob@outside.test\r\n',
      'From: ann@keyfold.test.evil.test\r\n',
    ])
      expect(() => rebuild(`${from}Subject: x\r\n\r\n`)).toThrow(AppError);
  });

  test('drops lines that are not fields and continuations of the server’s own fields', () => {
    const text = rebuild(
      ' X: folded into the one before\r\nnonsense\r\nFrom: ann@keyfold.test\r\nSubject: a\r\n b\r\n\r\n',
    );
    expect(text).not.toMatch(/folded into|nonsense/);
    expect(text).toContain('Subject: a\r\n b\r\n');
  });

  test('has one sender and no hidden recipient for any composer input', async () => {
    const line = fc.oneof(
      fc.constantFrom(
        'From: ann@keyfold.test',
        'From: eve@evil.test',
        'Sender: eve@evil.test',
        'Bcc: secret@outside.test',
        'To: secret@outside.test',
        'Resent-To: secret@outside.test',
        ' continued',
        'X-A: b\rFrom: eve@evil.test',
        'X-A: b\nBcc: secret@outside.test',
        'Received: x',
        'CFBL-Address: eve@evil.test',
        ':',
      ),
      fc.string({ maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 4 }),
        fc.array(line, { maxLength: 4 }),
        async (above, below) => {
          const lines = [...above, 'From: ann@keyfold.test', ...below];
          let text: string;
          try {
            text = rebuild(`${lines.join('\r\n')}\r\n\r\nbody`);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            return;
          }
          const [head = ''] = text.split('\r\n\r\n');
          expect(head.match(/^from[ \t]*:/gim)).toHaveLength(1);
          expect(head.match(/^cfbl-address[ \t]*:/gim)).toHaveLength(1);
          expect(head).not.toMatch(/^(?:bcc|sender|received|resent-to)[ \t]*:/im);
          const parsed = await PostalMime.parse(text);
          expect(parsed.from?.address).toBe('ann@keyfold.test');
          expect(JSON.stringify([parsed.to, parsed.cc, parsed.bcc])).not.toContain('secret@');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('line endings', () => {
  test('are converted to CRLF from any form', () => {
    expect(withCrlf(Buffer.from('a\nb\rc\r\nd\n\re\r')).toString()).toBe('a\r\nb\r\nc\r\nd\r\n\r\ne\r\n');
  });

  test('are left unchanged when they are already CRLF', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const once = withCrlf(bytes);
        expect(withCrlf(once).equals(once)).toBe(true);
        expect(once.toString('latin1').replace(/\r\n/g, '')).toBe(
          Buffer.from(bytes)
            .toString('latin1')
            .replace(/[\r\n]/g, ''),
        );
      }),
    );
  });
});
