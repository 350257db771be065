// Accounts without the sign-up screen: made through the API as the screen makes them, and their session put where it puts
// it. What takes seconds, Argon2id, is left out, so nobody knows a password of these accounts: stories in which somebody
// signs in use `signUp` of people.ts.
import { api } from '@keyfold/contract';
import { type CallRequest, createClient } from '@keyfold/contract/client';
import { decodeBase64 } from '@keyfold/crypto/message';
import { createIdentity, lockVault, sealLocal, serializeVault } from '@keyfold/crypto/vault';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Person } from './browser.ts';

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];

const domain = 'keyfold.test';
const inboxPath = '/app/inbox/recieved/0';

const random = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length));

/** The API as the person's browser sees it: cookies come and go with its own. Repeats by itself what the web client does. */
export function clientOf({ context }: Person, baseUrl: string) {
  const ask = async ({ path, method, headers, body }: CallRequest) => {
    const reply = await context.request.fetch(baseUrl + path, {
      method,
      headers: { ...headers, origin: baseUrl },
      ...(body === undefined ? {} : { data: body }),
    });
    return { status: reply.status(), retryAfter: null, json: await reply.json() };
  };
  return createClient(api, request =>
    ask(request).catch(error => {
      if (request.isRepeatable) return ask(request);
      throw error;
    }),
  );
}

/** The answer to a challenge of the robot check, as `register` wants it. */
export async function solveRobotCheck(challenge: Record<string, unknown>): Promise<string> {
  const solution = await solveChallenge({ challenge: challenge as unknown as Challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}

/** Makes an account, with an invitation code where one is needed, signed in on this browser, and ends in its inbox. */
export async function join(
  person: Person,
  baseUrl: string,
  name: string,
  username: string,
  code?: string,
): Promise<void> {
  const email = `${username}@${domain}`;
  const client = clientOf(person, baseUrl);
  const identity = await createIdentity();
  const { data: challenge } = await client.sign_up.captcha({});
  const { data: user } = await client.sign_up.register(
    {
      name,
      username,
      domain,
      password: Buffer.from(random(32)).toString('hex'),
      captcha: await solveRobotCheck(challenge),
      ...(code === undefined ? {} : { affiliate_code: code }),
      main_key: await lockVault(random(32), identity),
    },
    { headers: { 'idempotency-key': Buffer.from(random(32)).toString('base64url') } },
  );
  const plain = new TextEncoder().encode(JSON.stringify(serializeVault(email, identity)));
  const kept = {
    vault: await sealLocal(decodeBase64(user.client_key), 'vault', plain),
    user: JSON.stringify({ email: user.kdf_email }),
  };
  const { page } = person;
  const inbox = baseUrl + inboxPath;
  // An empty page of the same origin, to leave there what the program finds when it starts.
  // It has an icon, or the browser would ask for one and complain.
  const empty = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' };
  await page.route(inbox, route => route.fulfill(empty), { times: 1 });
  await page.goto(inbox);
  await page.evaluate(entries => {
    for (const [key, value] of entries) localStorage.setItem(key, value);
  }, Object.entries(kept));
  await page.goto(inbox);
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
}
