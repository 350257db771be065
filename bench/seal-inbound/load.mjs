/**
 * The sending side of the seal-inbound benchmark, in a separate process: keeps several connections
 * open and sends equal messages over each, one after the other, waiting for every reply as a mail
 * server does. Every message has a different Message-ID. Prints one JSON line: how many were
 * acknowledged, and in how many seconds.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import process from 'node:process';

const { port, connections, messages, sizeBytes, recipients } = JSON.parse(process.argv[2]);

const body = `${'x'.repeat(76)}\r\n`.repeat(Math.ceil(sizeBytes / 78));
const run = randomBytes(6).toString('hex');
let next = 0;
let acknowledged = 0;

const messageFor = (number, recipient) =>
  `Received: from load.bench.test by mx.bench.test; Sat, 21 Nov 2026 10:00:00 +0000\r\n` +
  `From: Load <load@bench.test>\r\nTo: <${recipient}>\r\nSubject: Message ${number}\r\n` +
  `Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <${run}.${number}@bench.test>\r\n` +
  `MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${body}.\r\n`;

const openConnection = () =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    /** @type {((reply: string) => void) | null} */
    let wake = null;
    socket.setNoDelay(true);
    socket.on('data', chunk => {
      received += chunk;
      const end = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(received);
      if (end === null || wake === null) return;
      received = received.slice(end[0].length);
      const resolveReply = wake;
      wake = null;
      resolveReply(end[0]);
    });
    socket.on('error', reject);
    /** @returns {Promise<void>} */
    const say = (text, code) =>
      new Promise((done, fail) => {
        wake = reply =>
          reply.startsWith(code)
            ? done()
            : fail(new Error(`"${reply.trim()}" after ${text.slice(0, 40).trim()}`));
        socket.write(text);
      });
    socket.once('connect', () => {
      say('', '220')
        .then(() => say('EHLO load.bench.test\r\n', '250'))
        .then(() => resolve({ say, end: () => socket.end('QUIT\r\n') }), reject);
    });
  });

async function work({ say, end }) {
  for (let number = next++; number < messages; number = next++) {
    const recipient = recipients[number % recipients.length];
    await say('MAIL FROM:<load@bench.test>\r\n', '250');
    await say(`RCPT TO:<${recipient}>\r\n`, '250');
    await say('DATA\r\n', '354');
    await say(messageFor(number, recipient), '250');
    acknowledged++;
  }
  end();
}

const opened = await Promise.all(Array.from({ length: connections }, openConnection));
const startedAtMs = performance.now();
await Promise.all(opened.map(work));
const seconds = (performance.now() - startedAtMs) / 1000;
process.stdout.write(`${JSON.stringify({ acknowledged, seconds })}\n`);
process.exit(0);
