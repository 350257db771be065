import { PassThrough } from 'node:stream';
import type { SMTPServerDataStream } from 'smtp-server';
import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';
import { createLineCheck } from './line-check.ts';
import { receiveMessage } from './receive.ts';

const makeStream = (): SMTPServerDataStream =>
  Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });

test('memory for message bytes is bounded and released, whatever happens to the message', async () => {
  const budget = createByteBudget(100);
  const receive = async (write: (stream: SMTPServerDataStream) => void) => {
    const stream = makeStream();
    const received = receiveMessage(stream, { budget, onProgress: () => undefined });
    write(stream);
    return received;
  };
  const first = await receive(stream => stream.end(`${'x'.repeat(58)}\r\n`));
  expect(first.raw).toHaveLength(60);
  await expect(receive(stream => stream.end('y'.repeat(60)))).rejects.toMatchObject({ responseCode: 452 });
  await expect(receive(stream => stream.end('bare\nline\r\n'))).rejects.toMatchObject({ responseCode: 550 });
  await expect(
    receive(stream => {
      stream.write('half');
      setImmediate(() => stream.destroy());
    }),
  ).rejects.toThrow();
  expect(budget.take(40)).toBe(true);
  expect(budget.take(1)).toBe(false);
  budget.give(40);
  first.release();
  expect(budget.take(100)).toBe(true);
  expect(budget.hasRoom()).toBe(false);
});

function check(...chunks: string[]) {
  const lines = createLineCheck();
  for (const chunk of chunks) lines.see(Buffer.from(chunk, 'latin1'));
  return { ...lines, hasBareLineEnd: lines.hasBareCr() || lines.countBareLf() > 0 };
}

test.each([
  ['\n'],
  ['a\nb\r\n'],
  ['a\rb\r\n'],
  ['a\r\r\n'],
  ['a\r\n\r'],
  ['a\n\r\n'],
  ['a\r', 'b\r\n'],
  ['a', '\n'],
  ['a\r', '\r', '\n'],
])('a bare CR or LF is detected in %j %j', (...chunks) => {
  expect(check(...chunks.filter(chunk => chunk !== undefined)).hasBareLineEnd).toBe(true);
});

test.each([[''], ['a\r\n'], ['\r\n\r\n'], ['a\r', '\n\0\xff\r', '\n']])(
  'complete line endings are not reported as bare in %j %j',
  (...chunks) => {
    expect(check(...chunks.filter(chunk => chunk !== undefined)).hasBareLineEnd).toBe(false);
  },
);

test('a bare LF in counted octets becomes CRLF, and the added bytes are counted', async () => {
  const budget = createByteBudget(12);
  const receive = (text: string) => {
    const stream = makeStream();
    const received = receiveMessage(stream, { budget, onProgress: () => undefined, isCounted: true });
    stream.end(text);
    return received;
  };
  const { raw, release } = await receive('\na\n.\r\nb');
  expect(raw.toString()).toBe('\r\na\r\n.\r\nb');
  release();
  await expect(receive('\n\n\n\n\n\n\n')).rejects.toMatchObject({ responseCode: 452 });
  await expect(receive('a\rb')).rejects.toMatchObject({ responseCode: 550 });
  expect(budget.take(12)).toBe(true);
});

test('the header ends at the first empty line, however the input is split', () => {
  expect(check('a: b\r\n\r\nbody\r\n').headerSizeBytes()).toBe(8);
  expect(check('a: b\r', '\n', '\r', '\nbody').headerSizeBytes()).toBe(8);
  expect(check('\r\nbody').headerSizeBytes()).toBe(2);
  expect(check('a: b\r\n c').headerSizeBytes()).toBe(8);
});
