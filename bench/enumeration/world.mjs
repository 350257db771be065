/**
 * What the enumeration benchmark asks: a whole product as a process of its own, some accounts, as many addresses that nobody has
 * and that look the same, and the calls that a stranger can make about an address. Each answers with what the stranger sees.
 */
import { randomBytes } from 'node:crypto';
import { createProduct } from '@keyfold/testing/product';
import { createTestClient } from '../../apps/server/tests/harness/client.ts';
import { startSignIn, turnTotpOn } from '../../apps/server/tests/harness/second-factor.ts';
import { createTestKeys } from '../../apps/server/tests/harness/users.ts';
import { solveRobotCheck } from '../../apps/web/e2e/support/accounts.ts';

const DOMAIN = 'keyfold.test';
const hex = bytes => randomBytes(bytes).toString('hex');
/** Fields whose values are of one answer alone. */
const OF_ONE_ANSWER = /^(date|x-request-id|ratelimit-reset|retry-after)$/;

/** Registers by the calls of the web client; a signed-in client. */
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

/** What a reply shows beside its time: status, names of fields with the values that do not change, and text. */
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

/** The calls, by name. Each is a function of an address. */
function callsOf(baseUrl, mainKey, halfDone) {
  const stranger = createTestClient(baseUrl);
  const registering = captcha => email => {
    const [username, domain] = email.split('@');
    return { name: 'Somebody', username, domain, password: hex(32), captcha, main_key: mainKey };
  };
  return {
    login: postTo(stranger, '/auth/login', email => ({ email, password: hex(32) })),
    recover: postTo(stranger, '/auth/recover', email => ({ email, proof: hex(32) })),
    // Who is no robot is told that a name is taken, as everywhere; who may be one is not.
    register: postTo(stranger, '/auth/register', registering('e30=')),
    restore: postTo(stranger, '/auth/restore', email => ({ email, timestamp: Date.now() })),
    mfa: postTo(halfDone, '/auth/mfa', email => ({ email, code: '000000' })),
    'mfa challenge': postTo(halfDone, '/auth/mfa/challenge', email => ({ email })),
    keys: postTo(stranger, '/user/keys', email => ({ users: [email] })),
    contacts: postTo(stranger, '/user/unverified_contacts', email => ({ email })),
  };
}

/**
 * Starts it with `count` accounts. `pairs` are addresses [of an account, of nobody] of one length; `calls` what can be asked;
 * `another` asks for something that names nobody.
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
