/**
 * admin-console: the first requests of the console, the statistics and the first page of users,
 * with 100,000 accounts, over HTTP as a browser sends them. Compared with the same for 1,000
 * accounts and with a recount of the tables; the last page is compared with the first. Arguments:
 * accounts (default 100000) and requests per round (default 20).
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { socketDirOf } from '../apps/server/src/db/embedded.ts';
import { createTestClient } from '../apps/server/tests/harness/client.ts';
import { registerTestUser } from '../apps/server/tests/harness/users.ts';
import { createProduct } from '../packages/testing/src/product.ts';

const root = path.resolve(import.meta.dirname, '..');
const { Client } = createRequire(path.join(root, 'apps/server/package.json'))('pg');

const ROUNDS = 5;
const SMALL = 1000;

/**
 * Adds accounts as sign-ups create them, spread over three years, most of them recently active,
 * with their mailboxes.
 */
async function addAccounts(database, from, to) {
  await database.query(
    `insert into users (id, kdf_email, email, name, login_hash, main_key, plan, created_at, last_active_at)
     select gen_random_uuid(), 'made' || n || '@keyfold.test', 'made' || n || '@keyfold.test',
       (array['Ines', 'Tomasz', 'Nadia', 'Karl', 'Lena', 'Priya', 'Jonas'])[1 + n % 7] || ' ' || md5(n::text),
       '', (select main_key from users order by created_at limit 1),
       (array['free', 'free', 'free', 'plus', 'pro'])[1 + n % 5],
       now() - (n % 1095) * interval '1 day' - n * interval '1 millisecond',
       now() - (n % 37) * interval '1 day'
     from generate_series($1::int, $2::int - 1) n`,
    [from, to],
  );
  await database.query(`insert into mailboxes (user_id, used_bytes, sent_emails)
    select id, 1000000, 3 from users where not exists (select from mailboxes where user_id = users.id)`);
  await folded(database);
  // Autovacuum would do this over time; here half a million rows were written at once.
  await database.query('vacuum analyze');
}

/**
 * Waits for the job that folds the counters; they are then measured as after a minute of ordinary
 * use.
 */
async function folded(database) {
  for (;;) {
    const { rows } = await database.query('select count(*)::int as waiting from stat_changes');
    if (rows[0].waiting < SMALL) return;
    await sleep(1000);
  }
}

/** Cost of the statistics without counters. */
const RECOUNT = `select count(*), count(*) filter (where last_active_at > now() - interval '30 days'),
  count(*) filter (where created_at >= date_trunc('month', now())), count(*) filter (where plan = 'plus'),
  count(*) filter (where plan = 'pro'), (select sum(used_bytes) from mailboxes), (select sum(sent_emails) from mailboxes)
  from users`;

const median = numbers => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const round = value => Number(value.toFixed(2));

async function measure(database, series, perRound) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(series).map(name => [name, []]));
  for (let n = 0; n <= ROUNDS; n++) {
    await database.query('delete from rate_limits');
    for (const [name, work] of Object.entries(series))
      for (let turn = 0; turn < perRound; turn++) {
        const start = performance.now();
        await work();
        // The first round is a warm-up.
        if (n > 0) times[name].push(performance.now() - start);
      }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, round(median(all))]));
}

export async function run([accounts = '100000', requests = '20']) {
  const product = await createProduct({ KEYFOLD_LOG: 'error', KEYFOLD_CAPTCHA_COST: '0' });
  await product.start();
  const database = new Client({
    host: socketDirOf(path.join(product.dataDir, 'postgres')),
    user: 'keyfold',
    database: 'postgres',
  });
  // The connection is closed when the product stops.
  database.on('error', () => undefined);
  try {
    await database.connect();
    const client = createTestClient(product.baseUrl);
    await registerTestUser({ config: { domains: ['keyfold.test'] }, client: () => client });
    await database.query(`update users set is_admin = true, admin_level = 'super'`);
    const headers = { 'x-csrf-token': (await client.admin_access.token({})).csrf_token };
    const page = number => client.admin.users({ page: number, pageSize: 50 }, { headers });
    const first = async () => {
      await Promise.all([client.admin.stats({}, { headers }), page(1)]);
    };
    await addAccounts(database, 0, SMALL);
    const small = await measure(database, { first }, Number(requests));
    const count = Number(accounts);
    await addAccounts(database, SMALL, count);
    const { total_count } = (await page(1)).data;
    const last = Math.min(10_000, Math.ceil(total_count / 50));
    const large = await measure(
      database,
      {
        first,
        stats: () => client.admin.stats({}, { headers }),
        recount: () => database.query(RECOUNT),
        firstPage: () => page(1),
        lastPage: () => page(last),
        search: () => client.admin.users({ pageSize: 50, search: `made${count - 1}@` }, { headers }),
      },
      Number(requests),
    );
    const line = (bench, ours, peer, peer_is, goal) => ({
      bench: `admin-console ${bench}`,
      ours,
      peer,
      unit: 'ms, p50',
      peer_is,
      goal,
    });
    return [
      line(
        'dashboard and first page',
        large.first,
        small.first,
        'the same with 1,000 accounts',
        'at most 1.3',
      ),
      line('statistics', large.stats, large.recount, 'a recount of the tables', 'at most 0.5'),
      line('last page', large.lastPage, large.firstPage, 'page 1', 'at most 1.5'),
      line('search for one address', large.search, large.firstPage, 'page 1', 'at most 1.5'),
    ];
  } finally {
    await database.end();
    await product.remove();
  }
}
