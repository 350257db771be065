/**
 * The long version of hostile-input.test.ts, for `npm run test:faults -- network`: the whole
 * product as a separate process, and thousands of clients on this machine. Prints one line per
 * fault and exits with 1 if any failed. Latencies of an ordinary user are compared with the same
 * user's latencies minutes earlier (docs/reliability.md#goals: less than twice as slow).
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createProduct } from '@keyfold/testing/product';
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { openFilesMax } from '../../src/http/connection-limits.ts';
import { createTestClient } from '../harness/client.ts';
import { MALFORMED_HTTP, MALFORMED_SMTP } from '../harness/hostile.ts';
import { registerTestUser, type TestUser } from '../harness/users.ts';
import { isBackInTime, watchFlood } from './memory.ts';
import { type Crowd, openCrowd, pause, throwAt } from './peers.ts';

const MIB = 1024 * 1024;
const SLOW_CLIENTS = 5_000;
const IDLE_CLIENTS = 10_000;
/** Event streams per user. */
const STREAMS_EACH = 8;
/** Rounds of each flood, and of the warm-up before it. */
const MALFORMED_ROUNDS = { warmTurns: 30, turns: 120 } as const;
const CONNECTION_WAVES = { warmTurns: 4, turns: 20 } as const;
const WAVE_CLIENTS = 1_000;
/** Differences below this are noise of the machine. */
const NOTICED_MS = 10;
/** File descriptors of this process that are not used for clients. */
const OWN_FILES = 500;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

let failures = 0;
function say(name: string, isPassed: boolean, facts: Readonly<Record<string, unknown>>): void {
  if (!isPassed) failures++;
  print(JSON.stringify({ fault: name, passed: isPassed, ...facts }));
}

function scaled(wanted: number): number {
  const possible = Math.floor(openFilesMax() - OWN_FILES);
  if (possible >= wanted) return wanted;
  print(`Few files may be open: ${possible} clients in place of ${wanted}. Raise it with ulimit -n.`);
  return possible;
}

const product = await createProduct({ KEYFOLD_CAPTCHA_COST: '0', KEYFOLD_LOG: 'warn' });
const rssBytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid()}/status`, 'latin1'))?.[1] ?? 0) * 1024;
const filesOpen = (): number =>
  Number(/FDSize:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid()}/status`, 'latin1'))?.[1] ?? 0);

const place = () => ({
  config: { domains: ['keyfold.test'] },
  client: () => createTestClient(product.baseUrl),
});

/**
 * Measures the service for an ordinary user: number of visits, number of successful ones, and the
 * 95th percentile of the latency in milliseconds.
 */
async function attend(user: TestUser, visits = 200) {
  const times: number[] = [];
  let served = 0;
  for (let n = 0; n < visits; n++) {
    const startedAt = performance.now();
    const isServed = await user.client.mail.check_new({}).then(
      () => true,
      () => false,
    );
    if (isServed) served++;
    times.push(isServed ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
    await pause(5);
  }
  const p95Ms = times.sort((a, b) => a - b)[Math.floor(visits * 0.95)] ?? Number.POSITIVE_INFINITY;
  return { visits, served, p95Ms };
}
const visit = async (user: TestUser, visits?: number): Promise<number> => (await attend(user, visits)).p95Ms;
/**
 * Summarizes a crowd. Clients that are not held were refused by design: rejected on connection, or
 * cut to make room for a productive client.
 */
function fateOf(attempted: number, crowd: Crowd) {
  const [reached, held] = [crowd.reached(), crowd.open()];
  return { attempted, reached, held, refused: reached - held };
}
const isUnnoticed = (withMs: number, withoutMs: number): boolean =>
  withMs < Math.max(2 * withoutMs, NOTICED_MS);
const round = (value: number): number => Number(value.toFixed(1));

/** Waits until a condition holds. Returns the elapsed milliseconds, or null on timeout. */
async function wait(holds: () => boolean | Promise<boolean>, longestMs: number): Promise<number | null> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < longestMs) {
    if (await holds()) return Math.round(performance.now() - startedAt);
    await pause(100);
  }
  return null;
}

async function bring(from: string, subject: string): Promise<string> {
  const client = await connectSmtp(product.smtpPort, from);
  try {
    await client.reply();
    await client.command('EHLO sender.test');
    const raw = `Subject: ${subject}\r\nMessage-ID: <${subject}@sender.test>\r\n\r\nx\r\n`;
    return await deliver(client, { from: 'al@sender.test', to: [user.email], raw });
  } finally {
    client.destroy();
  }
}

await product.start();
const user = await registerTestUser(place());
const inbox = async () => (await user.client.mail.query({})).data.length;
const someNetwork = (index: number): string => `127.1.${index >> 8}.${index & 0xff || 1}`;

try {
  await visit(user);
  const calmMs = await visit(user, 400);
  const calmBytes = rssBytes();
  /** Growth over the first baseline, before any warm-up: reported but not judged. */
  const overStartMb = (): number => Math.round((rssBytes() - calmBytes) / MIB);
  print(JSON.stringify({ calm_p95_ms: round(calmMs), calm_rss_mb: Math.round(calmBytes / MIB) }));

  {
    const count = scaled(SLOW_CLIENTS);
    const hello = () => 'GET /auth/check HTTP/1.1\r\nhost: x\r\nx-slow: ';
    const crowd = await openCrowd({ port: product.httpPort, count, hello, dribble: 'y', dribbleMs: 2_000 });
    const fate = fateOf(count, crowd);
    const { visits, served, p95Ms } = await attend(user);
    const heldAfter = crowd.open();
    const goneMs = await wait(() => crowd.open() === 0, 60_000);
    crowd.close();
    const isServed = served === visits && isUnnoticed(p95Ms, calmMs);
    say('slowloris on HTTP', isServed && fate.held > 0 && goneMs !== null, {
      ...fate,
      held_after: heldAfter,
      visits,
      served,
      p95_ms: round(p95Ms),
      all_cut_after_ms: goneMs,
      answers: Object.fromEntries(crowd.answers),
    });
  }

  {
    const count = scaled(SLOW_CLIENTS);
    const hello = () => 'EHLO slow.test\r\nMAIL FROM:<a';
    const options = { port: product.smtpPort, count, hello, isPolite: true, from: someNetwork };
    const crowd = await openCrowd({ ...options, dribble: 'y', dribbleMs: 2_000 });
    // Rejected clients first receive the rejection.
    await pause(500);
    const fate = fateOf(count, crowd);
    const { visits, served, p95Ms } = await attend(user);
    const heldAfter = crowd.open();
    // Clients without progress for ten seconds are dropped.
    await pause(10_500);
    const startedAt = performance.now();
    const answer = await bring('127.0.0.9', 'among-slow-ones');
    const tookMs = performance.now() - startedAt;
    crowd.close();
    await pause(200);
    const after = await bring('127.0.0.9', 'after-slow-ones');
    const isTaken = answer.startsWith('250') && after.startsWith('250') && tookMs < 5_000;
    const isServed = served === visits && isUnnoticed(p95Ms, calmMs);
    say('slowloris on SMTP', isServed && fate.held > 0 && isTaken, {
      ...fate,
      held_after: heldAfter,
      visits,
      served,
      p95_ms: round(p95Ms),
      mail_took_ms: round(tookMs),
      answers: Object.fromEntries(crowd.answers),
    });
  }

  {
    let [connections, refused] = [0, 0];
    const startedAt = performance.now();
    const comeAndGo = async (waves: number): Promise<void> => {
      for (let wave = 0; wave < waves; wave++) {
        const port = wave % 2 === 0 ? product.httpPort : product.smtpPort;
        const crowd = await openCrowd({ port, count: WAVE_CLIENTS, hello: () => '', from: someNetwork });
        connections += WAVE_CLIENTS;
        refused += WAVE_CLIENTS - crowd.open();
        crowd.close();
      }
    };
    const { memory } = await watchFlood(comeAndGo, CONNECTION_WAVES, rssBytes);
    const tookMs = performance.now() - startedAt;
    const afterMs = await visit(user);
    const answer = await bring('127.0.0.9', 'after-flood');
    const isAlive = isUnnoticed(afterMs, calmMs) && answer.startsWith('250');
    say('connections that come and go', isAlive && isBackInTime(memory), {
      connections,
      refused,
      took_ms: round(tookMs),
      p95_after_ms: round(afterMs),
      ...memory,
      rss_mb_over_start: overStartMb(),
    });
  }

  for (const [name, port, malformed] of [
    ['malformed HTTP', product.httpPort, MALFORMED_HTTP],
    ['malformed SMTP', product.smtpPort, MALFORMED_SMTP],
  ] as const) {
    const before = await inbox();
    let [failed, sent] = [0, 0];
    const throwAll = async (rounds: number): Promise<void> => {
      for (let turn = 0; turn < rounds; turn++) {
        const answers = await Promise.all(
          Object.values(malformed).map(bytes => throwAt(port, bytes, turn % 10 === 0 ? 500 : 50)),
        );
        sent += answers.length;
        failed += answers.filter(text => /^HTTP\/1\.1 5/.test(text) || /^250 2\.6\.0/m.test(text)).length;
      }
    };
    const { memory } = await watchFlood(throwAll, MALFORMED_ROUNDS, rssBytes);
    const afterMs = await visit(user);
    const isWhole = (await inbox()) === before;
    const isAlive = failed === 0 && isWhole && isUnnoticed(afterMs, calmMs);
    say(`flood of ${name}`, isAlive && isBackInTime(memory), {
      sent,
      failed,
      p95_after_ms: round(afterMs),
      ...memory,
      rss_mb_over_start: overStartMb(),
    });
  }

  {
    const count = scaled(IDLE_CLIENTS);
    const users: TestUser[] = [];
    while (users.length * STREAMS_EACH < count) {
      const missing = Math.ceil(count / STREAMS_EACH) - users.length;
      users.push(
        ...(await Promise.all(Array.from({ length: Math.min(8, missing) }, () => registerTestUser(place())))),
      );
    }
    const cookies = users.map(one => one.client.jar.header('/user/events') ?? '');
    await visit(user);
    const withoutBytes = rssBytes();
    const hello = (index: number) =>
      `GET /user/events HTTP/1.1\r\nhost: localhost:${product.httpPort}\r\n` +
      `accept: text/event-stream\r\ncookie: ${cookies[Math.floor(index / STREAMS_EACH)]}\r\n\r\n`;
    const crowd = await openCrowd({ port: product.httpPort, count, hello });
    await pause(5_000);
    const open = crowd.open();
    const withBytes = rssBytes();
    const idleMs = await visit(user);
    const files = filesOpen();
    crowd.close();
    const freshMs = await wait(
      async () => (await visit(user, 20)) < Math.max(2 * calmMs, NOTICED_MS),
      20_000,
    );
    say('idle clients with event streams', open >= count * 0.999 && isUnnoticed(idleMs, calmMs), {
      clients: open,
      kb_each: round((withBytes - withoutBytes) / open / 1024),
      p95_ms: round(idleMs),
      descriptors: files,
      calm_after_ms: freshMs,
      answers: Object.fromEntries(crowd.answers),
    });
  }

  const broken = product
    .output()
    .split('\n')
    .filter(line => /unhandled|uncaught|"level":(50|60)/i.test(line));
  say('nothing unhandled in the log', broken.length === 0, { lines: broken.slice(0, 3) });
} finally {
  await product.remove();
}
process.exitCode = failures === 0 ? 0 : 1;
