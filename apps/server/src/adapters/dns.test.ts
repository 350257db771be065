import dgram from 'node:dgram';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDns, type TestDns } from '../../tests/harness/dns.ts';
import { createDns } from './dns.ts';
import { decodeAnswer, encodeQuestion } from './dns-message.ts';

let server: TestDns;
beforeAll(async () => {
  server = await startTestDns({
    'plain.test': {
      TXT: ['one', 'x'.repeat(700)],
      MX: [[10, 'Mail.Plain.test']],
      A: ['192.0.2.7'],
      AAAA: ['2001:db8::7'],
    },
    '_25._tcp.plain.test': { TLSA: [[3, 1, 1, 'abcd']] },
    'alias.test': { CNAME: 'plain.test' },
    'far.test': { CNAME: 'further.test' },
    'further.test': { CNAME: 'plain.test' },
    'circle.test': { CNAME: 'round.test' },
    'round.test': { CNAME: 'circle.test' },
    'huge.test': { TXT: Array.from({ length: 60 }, (_, index) => `${index} ${'y'.repeat(900)}`) },
    'empty.test': {},
    'broken.test': { TXT: ['hidden'] },
  });
  server.failing.add('broken.test');
  server.silent.add('silent.test');
});
afterAll(() => server.close());

const ask = (name: string, type: string, timeoutMs = 2_000) =>
  createDns([server.server], timeoutMs).resolve(name, type);
const failure = (name: string, type: string, timeoutMs?: number) =>
  ask(name, type, timeoutMs).then(
    () => 'none',
    (error: { code?: string }) => error.code,
  );

describe('a real DNS server', () => {
  test('answers queries for TXT, MX and CNAME records', async () => {
    const texts = (await ask('plain.test', 'TXT')) as string[][];
    expect(texts.map(pieces => pieces.join(''))).toEqual(['one', 'x'.repeat(700)]);
    expect(await ask('PLAIN.test', 'MX')).toEqual([{ priority: 10, exchange: 'mail.plain.test' }]);
    expect(await ask('alias.test', 'CNAME')).toEqual(['plain.test']);
    expect(await ask('alias.test', 'TXT')).toHaveLength(2);
    expect(await ask('far.test', 'TXT')).toHaveLength(2);
  });

  test('has distinct errors for absent names, empty answers, failures and timeouts', async () => {
    expect(await failure('nobody.test', 'TXT')).toBe('ENOTFOUND');
    expect(await failure('empty.test', 'TXT')).toBe('ENODATA');
    expect(await failure('broken.test', 'TXT')).toBe('ESERVFAIL');
    expect(await failure('silent.test', 'TXT', 150)).toBe('ETIMEOUT');
    expect(await failure('circle.test', 'TXT')).toBe('EBADRESP');
    expect(await failure(`${'a'.repeat(64)}.test`, 'TXT')).toBe('EBADNAME');
    expect(await failure('a..test', 'TXT')).toBe('EBADNAME');
  });

  test('is trusted to validate DNSSEC only when it is local and says so for every step', async () => {
    server.signed.add('_25._tcp.plain.test').add('far.test');
    const secure = createDns([server.server]);
    // The same server at an address that does not count as local.
    const distant = createDns([server.server.replace('127.0.0.1', '0.0.0.0')]);
    // The target of the alias is not signed.
    expect((await secure.ask?.('far.test', 'TXT'))?.isSecure).toBe(false);
    server.signed.add('plain.test');
    expect((await secure.ask?.('far.test', 'TXT'))?.isSecure).toBe(true);
    expect((await secure.ask?.('plain.test', 'MX'))?.isSecure).toBe(true);
    expect((await distant.ask?.('plain.test', 'MX'))?.isSecure).toBe(false);
    expect((await secure.ask?.('alias.test', 'TXT'))?.isSecure).toBe(false);
    expect(await secure.ask?.('_25._tcp.plain.test', 'TLSA')).toEqual({
      isSecure: true,
      records: [{ usage: 3, selector: 1, mtype: 1, cert: Buffer.from('abcd', 'hex') }],
    });
    expect((await secure.ask?.('plain.test', 'A'))?.records).toEqual(['192.0.2.7']);
    expect((await secure.ask?.('plain.test', 'AAAA'))?.records).toEqual(['2001:db8:0:0:0:0:0:7']);
  });

  test('that is local and finds bogus signatures is not overruled by a remote one', async () => {
    const other = await startTestDns({ 'broken.test': { TXT: ['forged'] } });
    const distant = other.server.replace('127.0.0.1', '0.0.0.0');
    const answer = (servers: readonly string[]) =>
      createDns(servers)
        .resolve('broken.test', 'TXT')
        .then(String, (error: { code?: string }) => error.code);
    expect(await answer([server.server, distant])).toBe('ESERVFAIL');
    expect(await answer([server.server, other.server])).toBe('forged');
    await other.close();
  });

  test('is queried again over TCP when the answer is too large for a datagram', async () => {
    expect(await ask('huge.test', 'TXT')).toHaveLength(60);
  });
});

/** Returns the wire form of a name. */
const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map(label => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
function record(name: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, head, data]);
}
const text = (value: string): Buffer => Buffer.from([value.length, ...Buffer.from(value)]);
/** Returns a response to a query with these records. */
function answerTo(question: Buffer, records: readonly Buffer[]): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...records]);
}

describe('a DNS answer', () => {
  const question = { id: 77, name: 'honest.test', type: 'TXT' } as const;
  const asked = encodeQuestion(question, true) ?? Buffer.alloc(0);
  const decode = (records: readonly Buffer[]) => decodeAnswer(answerTo(asked, records), question);
  const TXT = 16;
  const CNAME = 5;

  test('counts only for the name that was queried', () => {
    const own = record(wireName('honest.test'), TXT, text('mine'));
    const other = record(wireName('other.test'), TXT, text('a lie'));
    expect(decode([own, other]).records).toEqual([['mine']]);
    expect(() => decode([other])).toThrow('does not match the query');
    const alias = record(wireName('honest.test'), CNAME, wireName('real.test'));
    expect(decode([alias, other]).alias).toBe('real.test');
    expect(decode([alias, record(wireName('real.test'), TXT, text('far'))]).records).toEqual([['far']]);
  });

  test('with a dot inside a label does not match the name it resembles', () => {
    const disguised = Buffer.concat([text('honest.test'), Buffer.from([0])]);
    expect(() => decode([record(disguised, TXT, text('a lie'))])).toThrow('does not match the query');
  });

  test('with wrong lengths, compression loops or another question is rejected', () => {
    const [own] = [record(wireName('honest.test'), TXT, text('mine'))];
    const whole = answerTo(asked, [own]);
    for (let length = 0; length < whole.length; length++)
      expect(() => decodeAnswer(whole.subarray(0, length), question), String(length)).toThrow(
        'does not match the query',
      );
    const tooLong = record(wireName('honest.test'), TXT, Buffer.from([200, 1, 2]));
    expect(() => decode([tooLong])).toThrow('does not match the query');
    const toItself = Buffer.from([0xc0, asked.length]);
    expect(() => decode([record(toItself, TXT, text('x'))])).toThrow('does not match the query');
    const circle = [
      record(wireName('honest.test'), CNAME, wireName('b.test')),
      record(wireName('b.test'), CNAME, wireName('honest.test')),
    ];
    expect(() => decode(circle)).toThrow('does not match the query');
    expect(() => decodeAnswer(whole, { ...question, id: 78 })).toThrow('does not match the query');
    expect(() => decodeAnswer(whole, { ...question, name: 'else.test' })).toThrow('does not match the query');
  });

  test('with only foreign names is rejected over the wire', async () => {
    const liar = dgram.createSocket('udp4');
    liar.on('message', (message, peer) => {
      const lie = record(wireName('other.test'), TXT, text('a lie'));
      liar.send(answerTo(message, [lie]), peer.port, peer.address);
    });
    await new Promise<void>(resolve => liar.bind(0, '127.0.0.1', () => resolve()));
    const dns = createDns([`127.0.0.1:${liar.address().port}`], 1_000);
    await expect(dns.resolve('honest.test', 'TXT')).rejects.toMatchObject({ code: 'EBADRESP' });
    liar.close();
  });
});
