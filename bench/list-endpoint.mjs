/**
 * list-endpoint: 50 summaries of a mailbox of 1,000,000 messages over HTTP, 32 clients at once,
 * compared with a bare `select` of the same rows on the same PostgreSQL; page 1 compared with page
 * 10,000; 1,000,000 messages compared with 1,000. Arguments: size of the large mailbox (default
 * 1000000) and requests per round (default 400).
 */
import http from 'node:http';
import { linesOf } from './list-endpoint/lines.mjs';
import { startService } from './list-endpoint/service.mjs';

const CLIENTS = 32;
const ROUNDS = 5;
/** Columns that a list returns: for opened messages, the owner's wrap instead of the sender's. */
const COLUMNS = `id, flags, received_at, thread_id, message_id, from_address, headers, summary, binding,
  case when own_key is null then ciphertext end, coalesce(own_key, encrypted_key), dh_public, coalesce(own_salt, salt),
  key_used, is_alert, size_bytes, deleted_at`;

const INBOX = 'sent=false&draft=false&archived=false&deleted=false&flagged=false';
const FOLDERS = {
  recieved: INBOX,
  starred: 'starred=true&deleted=false',
  sent: 'sent=true&deleted=false',
  archived: 'archived=true&deleted=false',
  flagged: 'flagged=true&deleted=false',
  deleted: 'deleted=true',
  all: 'deleted=false&draft=false&flagged=false',
  unread: `${INBOX}&read=false`,
  work: 'tag=work&deleted=false',
  rare: 'tag=rare&deleted=false',
};

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** Runs `count` tasks, CLIENTS at once. Returns how long each took, in milliseconds, sorted. */
async function load(count, work) {
  const times = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) {
        const turn = next++;
        const start = performance.now();
        await work(turn);
        times.push(performance.now() - start);
      }
    }),
  );
  return times.sort((a, b) => a - b);
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS });
const get = (port, cookie, query) =>
  new Promise((resolve, reject) => {
    const path = `/user/query?view=summary&count=50&${query}`;
    http
      .get(
        { host: '127.0.0.1', port, path, agent, headers: { cookie, accept: 'application/json' } },
        response => {
          const pieces = [];
          response.on('data', piece => pieces.push(piece));
          response.on('end', () =>
            response.statusCode === 200
              ? resolve(Buffer.concat(pieces))
              : reject(new Error(`answered ${response.statusCode}`)),
          );
          response.on('error', reject);
        },
      )
      .on('error', reject);
  });

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

export async function run([size = '1000000', requests = '400']) {
  const perRound = Number(requests);
  const service = await startService([Number(size), 1000]);
  try {
    const [large, small] = service.boxes;
    const ask = (box, query) => get(service.port, box.cookie, query);
    const json = async (box, query) => JSON.parse(await ask(box, query));
    const names = Object.keys(FOLDERS);
    const rowsOf = new Map();
    for (const name of names)
      rowsOf.set(
        name,
        (await json(large, FOLDERS[name])).data.map(mail => mail.id),
      );
    const bare = ids =>
      service.pool.query(
        `select ${COLUMNS} from mails where user_id = $1 and id = any($2::uuid[]) order by received_at desc, id desc`,
        [large.userId, ids],
      );
    const seen = (await json(large, FOLDERS.all)).data.filter(mail => mail.ciphertext === null);
    const seenBytes = seen.reduce((sum, mail) => sum + Buffer.byteLength(JSON.stringify(mail)) + 1, 0);
    const deepSkip = Math.min(500_000, Math.floor(Number(size) / 2));
    const [deepMail] = (await json(large, `${FOLDERS.all}&skip=${deepSkip}`)).data;
    const series = {
      folders: turn => ask(large, FOLDERS[names[turn % names.length]]),
      select: turn => bare(rowsOf.get(names[turn % names.length])),
      first: () => ask(large, FOLDERS.all),
      cursor: () => ask(large, `${FOLDERS.all}&last_id=${deepMail.id}`),
      skip: turn => ask(large, `${FOLDERS.all}&skip=${deepSkip + (turn % 8) * 50}`),
      inbox: () => ask(large, INBOX),
      threads: () => ask(large, `${INBOX}&threading=true`),
      smallInbox: () => ask(small, INBOX),
      smallThreads: () => ask(small, `${INBOX}&threading=true`),
    };
    /** @type {Record<string, Record<'p50' | 'p99', number[]>>} */
    const measured = Object.fromEntries(Object.keys(series).map(name => [name, { p50: [], p99: [] }]));
    for (const work of Object.values(series)) await load(CLIENTS * 2, work);
    for (let n = 0; n < ROUNDS; n++) {
      for (const [name, work] of Object.entries(series)) {
        const times = await load(perRound, work);
        measured[name].p50.push(percentile(times, 0.5));
        measured[name].p99.push(percentile(times, 0.99));
      }
    }
    return linesOf({
      measured: Object.fromEntries(
        Object.entries(measured).map(([name, { p50, p99 }]) => [
          name,
          { p50: median(p50), p99: median(p99) },
        ]),
      ),
      bytesEach: seenBytes / seen.length,
      size: Number(size),
      clients: CLIENTS,
    });
  } finally {
    agent.destroy();
    await service.pool.end();
    await service.stop();
  }
}
