import net from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { POLICY_CODE, runSession } from './session.ts';

let server: SMTPServer;
let port: number;
let taken = 0;
let whole = 0;
beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onMailFrom: (_address, _session, callback) => {
      taken++;
      callback();
    },
    onData: (stream, _session, callback) => {
      stream.resume();
      stream.on('end', () => {
        whole++;
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  port = (server.server.address() as net.AddressInfo).port;
});
afterAll(() => new Promise<void>(resolve => server.close(() => resolve())));

test('a server whose certificate check throws is rejected before any mail command', async () => {
  const session = runSession(
    {
      socket: net.connect(port, '127.0.0.1'),
      host: 'mx.out.test',
      ownName: 'mail.keyfold.test',
      isSecure: false,
      mustUseTls: false,
      // Throws like X509Certificate.checkHost for a name that contains a NUL.
      isGoodEnough: () => {
        throw new TypeError('The property is invalid');
      },
      login: null,
    },
    {
      sender: 'ann@keyfold.test',
      recipients: ['bob@out.test'],
      parts: [Buffer.from('Subject: x\r\n\r\nhi\r\n')],
    },
    new AbortController().signal,
  );
  await expect(session).rejects.toMatchObject({ stage: 'opening', smtp: { code: POLICY_CODE } });
  expect(taken).toBe(0);
});

/** Sends half a megabyte. The n-th ownership check returns the n-th of these answers. */
const sendWhileOurs = (answers: boolean[]) =>
  runSession(
    {
      socket: net.connect(port, '127.0.0.1'),
      host: 'mx.out.test',
      ownName: 'mail.keyfold.test',
      isSecure: false,
      mustUseTls: false,
      isGoodEnough: () => true,
      login: null,
    },
    {
      sender: 'ann@keyfold.test',
      recipients: ['bob@out.test'],
      parts: [Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(512 * 1024, `${'x'.repeat(62)}\r\n`)],
      isStillOurs: async () => answers.shift() ?? false,
    },
    new AbortController().signal,
  );

test('a message whose claim is lost at its beginning or end is not accepted', async () => {
  for (const answers of [[false], [true, false]]) {
    await expect(sendWhileOurs(answers)).rejects.toMatchObject({ stage: 'transaction' });
    expect(answers).toEqual([]);
  }
  expect(whole).toBe(0);
  const { accepted } = await sendWhileOurs([true, true]);
  expect([accepted, whole]).toEqual([['bob@out.test'], 1]);
});
