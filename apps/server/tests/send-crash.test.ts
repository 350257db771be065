import { createProduct, type Product } from '@keyfold/testing/product';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from './harness/app.ts';
import { createTestClient } from './harness/client.ts';
import { type SendRequest, sealLetter } from './harness/sending.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

// The whole product as a process of its own, with its own durable database, killed while it answers sends.

const ROUNDS = 3;
const SENDS_PER_ROUND = 12;

let product: Product;
let ann: TestUser;
let ben: TestUser;

beforeAll(async () => {
  product = await createProduct({ KEYFOLD_CAPTCHA_COST: '0' });
  await product.start();
  const app = {
    config: { domains: ['keyfold.test'] },
    client: () => createTestClient(product.baseUrl),
  } as unknown as TestApp;
  ann = await registerTestUser(app);
  ben = await registerTestUser(app);
}, 120_000);
afterAll(() => product.remove());

type Attempt = { readonly key: string; readonly request: SendRequest };

const send = ({ key, request }: Attempt) =>
  ann.client.sending.send_private(request, { headers: { 'idempotency-key': key } });

test('a send that was answered survives kill -9, and one repeated after it is not sent twice', async () => {
  const answered = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const attempts: Attempt[] = [];
    for (let index = 0; index < SENDS_PER_ROUND; index++)
      attempts.push({ key: `${round}-${index}`, request: await sealLetter(ann, { to: [ben] }) });
    const results = Promise.allSettled(attempts.map(send));
    await new Promise(resolve => setTimeout(resolve, 15 + Math.random() * 60));
    await product.kill();
    const early = await results;
    await product.start();
    for (const [index, attempt] of attempts.entries()) {
      const { data } = await send(attempt);
      const before = early[index];
      // What was answered before the crash is answered the same after it.
      if (before?.status === 'fulfilled') expect(before.value.data).toEqual(data);
      answered.set(attempt.key, data.message_id);
    }
  }
  const wanted = [...answered.values()].sort();
  expect(wanted).toHaveLength(ROUNDS * SENDS_PER_ROUND);
  const inbox = await ben.client.mail.query({ count: 200 });
  expect(inbox.data.map(mail => mail.message_id).sort()).toEqual(wanted);
  const sent = await ann.client.mail.query({ sent: true, count: 200 });
  expect(sent.data.map(mail => mail.message_id).sort()).toEqual(wanted);
}, 180_000);
