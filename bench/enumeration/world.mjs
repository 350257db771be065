/**
 * Test environment of the enumeration benchmark: a complete product in a separate process, some
 * accounts, as many unused addresses that look the same, and the calls that an outsider can make
 * about an address. Each call returns what the outsider sees.
 */
import { randomBytes } from 'node:crypto';
import { createProduct } from '@keyfold/testing/product';
import { createTestClient } from '../../apps/server/tests/harness/client.ts';
import { startSignIn, turnTotpOn } from '../../apps/server/tests/harness/second-factor.ts';
import { createTestKeys } from '../../apps/server/tests/harness/users.ts';
import { solveRobotCheck } from '../../apps/web/e2e/support/accounts.ts';

const DOMAIN = 'keyfold.test';
const hex = bytes => randomBytes(bytes).toString('hex');
/** Header fields whose values belong to a single response. */
const OF_ONE_ANSWER = /^(date|x-request-id|ratelimit-reset|retry-after)$/;

/** Registers with the web client's calls. Returns a signed-in client. */
async function register(baseUrl, username) {
  const client = createTestClient(baseUrl);
  const loginHash = hex(32);
  const { mainKey } = await createTestKeys();
  const { data: challenge } = await client.sign_up.captcha({});
  await client.sign_up.register({
    ...{ name: username, username, domain: DOMAIN, password: loginHash },
    captcha: await solveRobotCheck(challenge),
    main_key: mainKey,
    recovery: { proof: hex(32), main_key: mainKey },
  });
  return { client, loginHash, email: `${username}@${DOMAIN}` };
}

/**
 * Returns what a response reveals apart from its time: status, header names with the values that do
 * not change, and text.
 */
async function shownBy(response) {
  const fields = [...response.headers]
    .filter(([name]) => name !== 'set-cookie')
    .map(([name, value]) => (OF_ONE_ANSWER.test(name) ? name : `${name}: ${value}`));
  return [response.status, fields.join('\n'), await response.text()].join('\n');
}

const postTo = (client, path, bodyOf) => async email =>
  shownBy(
    await client.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(email)),
    }),
  );

/** Returns the calls by name; each is a function of an address. */
function callsOf(baseUrl, mainKey, halfDone) {
  const stranger = createTestClient(baseUrl);
  const registering = captcha => email => {
    const [username, domain] = email.split('@');
    return { name: 'Somebody', username, domain, password: hex(32), captcha, main_key: mainKey };
  };
  return {
    login: postTo(stranger, '/auth/login', email => ({ email, password: hex(32) })),
    recover: postTo(stranger, '/auth/recover', email => ({ email, proof: hex(32) })),
    // A client that passed the robot check is informed that a name is taken, as everywhere; one
    // that did not is not.
    register: postTo(stranger, '/auth/register', registering('e30=')),
    restore: postTo(stranger, '/auth/restore', email => ({ email, timestamp: Date.now() })),
    mfa: postTo(halfDone, '/auth/mfa', email => ({ email, code: '000000' })),
    'mfa challenge': postTo(halfDone, '/auth/mfa/challenge', email => ({ email })),
    keys: postTo(stranger, '/user/keys', email => ({ users: [email] })),
    contacts: postTo(stranger, '/user/unverified_contacts', email => ({ email })),
  };
}

/**
 * Starts the environment with `count` accounts. `pairs` are addresses [with an account, unused] of
 * equal length; `calls` are the available calls; `another` is a request that names no address.
 */
export async function startWorld(count) {
  const product = await createProduct({ KEYFOLD_LOG: 'error', KEYFOLD_ROLES: 'http' });
  await product.start();
  try {
    const pairs = [];
    for (let index = 0; index < count; index++) {
      const { email } = await register(product.baseUrl, `a${hex(5)}`);
      pairs.push([email, `a${hex(5)}@${DOMAIN}`]);
    }
    const guarded = await register(product.baseUrl, `a${hex(5)}`);
    await turnTotpOn(guarded, { now: () => new Date(), advance: () => undefined });
    const halfDone = await startSignIn(createTestClient(product.baseUrl), guarded);
    const { mainKey } = await createTestKeys();
    const stranger = createTestClient(product.baseUrl);
    return {
      pairs,
      calls: callsOf(product.baseUrl, mainKey, halfDone),
      another: async () => shownBy(await stranger.fetch('/auth/domains')),
      close: product.remove,
    };
  } catch (error) {
    await product.remove();
    throw error;
  }
}
