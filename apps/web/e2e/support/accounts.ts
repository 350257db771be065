// Creates accounts without the sign-up screen: through the API as the screen does, with the session
// stored where the screen stores it. The slow part, Argon2id, is left out, so these accounts have
// no known password. Tests in which a user signs in use `signUp` of people.ts.
import { api } from '@keyfold/contract';
import { type CallRequest, createClient } from '@keyfold/contract/client';
import { decodeBase64 } from '@keyfold/crypto/message';
import { createIdentity, lockVault, sealLocal, serializeVault } from '@keyfold/crypto/vault';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Person } from './browser.ts';

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];

const domain = 'keyfold.test';
/** Path of the inbox. */
export const inboxPath = '/app/inbox/recieved/0';

const random = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length));

/**
 * Returns an API client for the person's browser, which shares its cookies. Retries what the web
 * client retries.
 */
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

type Client = ReturnType<typeof clientOf>;

/** Solves a challenge of the robot check, in the form `register` expects. */
export async function solveRobotCheck(challenge: Record<string, unknown>): Promise<string> {
  const solution = await solveChallenge({ challenge: challenge as unknown as Challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}

/**
 * Creates an account through the API, with an invitation code where one is needed. Returns what the
 * program stores for a session, by its key in the browser's storage.
 */
export async function register(
  client: Client,
  name: string,
  username: string,
  code?: string,
): Promise<Readonly<Record<string, string>>> {
  const email = `${username}@${domain}`;
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
  return {
    vault: await sealLocal(decodeBase64(user.client_key), 'vault', plain),
    user: JSON.stringify({ email: user.kdf_email }),
  };
}

/**
 * Creates an account, with an invitation code where one is needed, signs it in on this browser, and
 * ends in its inbox.
 */
export async function join(
  person: Person,
  baseUrl: string,
  name: string,
  username: string,
  code?: string,
): Promise<void> {
  const kept = await register(clientOf(person, baseUrl), name, username, code);
  const { page } = person;
  const inbox = baseUrl + inboxPath;
  // An empty page of the same origin, used to write the storage that the program reads at its
  // start. It has an icon, because the browser would otherwise request one and log an error.
  const empty = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' };
  await page.route(inbox, route => route.fulfill(empty), { times: 1 });
  await page.goto(inbox);
  await page.evaluate(entries => {
    for (const [key, value] of entries) localStorage.setItem(key, value);
  }, Object.entries(kept));
  await page.goto(inbox);
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
}
