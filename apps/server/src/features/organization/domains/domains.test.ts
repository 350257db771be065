import { asData, connectSmtp } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { startTestDns, type TestDns } from '../../../../tests/harness/dns.ts';
import { addMember } from '../../../../tests/harness/organizations.ts';
import { askRecipient } from '../../../../tests/harness/rcpt.ts';
import { openMail, sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { createDns } from '../../../adapters/dns.ts';
import { DOMAIN_CHECK_HEALTHY_MS, DOMAIN_LOST_AFTER_MS } from '../../../base/limits.ts';
import { getSigningKey } from '../../outbound/delivery/domain-keys.ts';
import { checkDueDomains } from './jobs.ts';

let app: TestApp;
let dns: TestDns;
let clock: TestClock;
let ann: TestUser;
let bob: TestUser;
let domain: string;
let made = 0;
beforeAll(async () => {
  dns = await startTestDns();
  clock = createTestClock();
  app = await startTestApp({ roles: ['http', 'smtp'], dns: createDns([dns.server], 1_000), clock });
});
beforeEach(async () => {
  [ann, bob] = await Promise.all([registerTestUser(app), registerTestUser(app)]);
  domain = `own${++made}.test`;
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

const setPlan = (user: TestUser, plan: 'plus' | 'pro') =>
  app.db.updateTable('users').set({ plan }).where('email', '=', user.email).execute();

const claim = async (user: TestUser, name = domain) =>
  (await user.client.domains.register({ domain: name })).data;
type Info = Awaited<ReturnType<typeof claim>>;
const check = async (user: TestUser, name = domain) =>
  (await user.client.domains.health({ domain: name })).data;
function recordOf(info: Info, purpose: Info['records'][number]['purpose']) {
  const found = info.records.filter(record => record.purpose === purpose);
  return found.at(-1) ?? expect.fail(`no record for ${purpose}`);
}

/** Publishes a claim's records, all or only those for some purposes, next to the existing ones. */
function publish(info: Info, purposes?: readonly string[]): void {
  for (const { name, type, value, priority, purpose } of info.records) {
    if (purposes !== undefined && !purposes.includes(purpose)) continue;
    const at = dns.zone[name] ?? {};
    dns.zone[name] = at;
    if (type === 'MX') at.MX = [[priority ?? 0, value]];
    else if (type === 'TXT') at.TXT = [...(at.TXT ?? []).filter(text => text !== value), value];
  }
}

/** Sets up a proved domain with all its records. */
async function prove(user: TestUser, name = domain): Promise<Info> {
  publish(await claim(user, name));
  return check(user, name);
}
const answerTo = (address: string) => askRecipient(app.app.smtpPort, address);

describe('claiming a domain', () => {
  test('returns the records to publish and verifies the domain once they are found', async () => {
    const info = await claim(ann, ` ${domain.toUpperCase()}. `);
    expect(info).toMatchObject({ domain, verified: false, healthy: null, checked_at: null });
    expect(info.records.map(({ purpose, type, host }) => [purpose, type, host])).toEqual([
      ['ownership', 'TXT', '@'],
      ['mx', 'MX', '@'],
      ['spf', 'TXT', '@'],
      ['dkim', 'TXT', 'kf1._domainkey'],
      ['dmarc', 'TXT', '_dmarc'],
      ['tls_rpt', 'TXT', '_smtp._tls'],
    ]);
    expect(info.records.every(({ state, ok }) => state === 'waiting' && !ok)).toBe(true);
    const { data: proof } = await ann.client.domains.validation_record({ domain });
    expect(proof).toMatchObject({ type: 'TXT', name: domain, value: recordOf(info, 'ownership').value });
    expect((await ann.client.domains.readiness({ domain })).data).toMatchObject({
      ready: false,
      verified: false,
    });
    publish(info, ['ownership']);
    expect(await check(ann)).toMatchObject({ verified: true, healthy: false });
    publish(info);
    const ready = (await ann.client.domains.readiness({ domain })).data;
    expect(ready).toMatchObject({ ready: true, healthy: true });
    expect(ready.records.every(({ state }) => state === 'found')).toBe(true);
    expect((await ann.client.auth.check({})).data.domains).toEqual([domain]);
    expect((await ann.client.domains.list({})).data.map(one => one.domain)).toEqual([domain]);
  });

  test('stops at the plan’s limit with the specified message, also for concurrent claims', async () => {
    await setPlan(ann, 'plus');
    const names = Array.from({ length: 8 }, (_, index) => `many${index}.${domain}`);
    const outcomes = await Promise.allSettled(names.map(name => claim(ann, name)));
    const refused = outcomes.flatMap(one => (one.status === 'rejected' ? [String(one.reason.message)] : []));
    expect(refused).toEqual(Array.from({ length: 3 }, () => 'You have reached your domain limit'));
    expect((await ann.client.domains.list({})).data).toHaveLength(5);
  });

  test('is refused for invalid names, the service’s own domains and one’s own claims', async () => {
    for (const name of ['nonsense', 'keyfold.test', 'mail.keyfold.test', '10.0.0.1', 'a b.test', '-x.test'])
      expect(await codeOf(claim(ann, name)), name).toBe('422 domain_invalid');
    await claim(ann);
    expect(await codeOf(claim(ann))).toBe('409 domain_taken');
  });

  test('blocks no other claimant: the one who verifies it wins, and the other is informed', async () => {
    const [anns, bobs] = [await claim(ann), await claim(bob)];
    publish(bobs);
    expect(await check(bob)).toMatchObject({ verified: true });
    expect(await check(ann)).toMatchObject({ verified: false });
    publish(anns, ['ownership']);
    expect(recordOf(await check(ann), 'ownership')).toMatchObject({
      state: 'different',
      advice: 'held_elsewhere',
    });
    expect((await check(bob)).verified).toBe(true);
  });

  test('takes a domain over only when its owner’s record has been gone for days', async () => {
    await prove(ann);
    await ann.client.domains.address({ username: 'info', domain });
    await ann.client.domains.change_main({ domain });
    await ann.client.organization.create({ name: 'Hers' });
    await ann.client.organization.connect({ domain });
    const member = await addMember(app, ann, { username: 'member', domain });
    const bobs = await claim(bob);
    dns.zone[domain] = { TXT: [recordOf(bobs, 'ownership').value] };
    expect((await check(ann)).missing_since).not.toBeNull();
    expect((await check(bob)).verified).toBe(false);
    clock.advance(DOMAIN_LOST_AFTER_MS - 60_000);
    const again = { email: bob.email, password: bob.loginHash, keep_signed_in: false };
    await bob.client.sign_in.login(again);
    expect((await check(bob)).verified).toBe(false);
    clock.advance(60_000);
    expect((await check(bob)).verified).toBe(true);
    expect((await bob.client.domains.address({ username: 'info', domain })).data.address).toBe(
      `info@${domain}`,
    );
    await ann.client.sign_in.login({ ...again, email: ann.email, password: ann.loginHash });
    const { data: user } = await ann.client.auth.check({});
    expect(user).toMatchObject({ email: ann.email, addresses: [] });
    expect((await ann.client.organization.connected({})).data).toEqual([]);
    await member.client.sign_in.login({ ...again, email: member.email, password: member.loginHash });
    const { data: left } = await member.client.auth.check({});
    expect(left.email).toMatch(/^member\.[a-z0-9]{6}@keyfold\.test$/);
    expect(left).toMatchObject({ kdf_email: member.email, addresses: [] });
  });
});

test('ends a leftover connection of another user on verification', async () => {
  await prove(ann);
  await ann.client.organization.create({ name: 'Hers' });
  await ann.client.organization.connect({ domain });
  const member = await addMember(app, ann, { username: 'member', domain });
  await ann.client.domains.address({ username: 'hers', domain });
  // Simulates a fault: the claim is gone but the connection remains.
  await app.db.deleteFrom('domains').where('domain', '=', domain).execute();
  expect((await prove(bob)).verified).toBe(true);
  expect((await ann.client.organization.connected({})).data).toEqual([]);
  for (const { client } of [ann, member])
    expect((await client.addresses.list({})).data.map(({ address }) => address)).not.toEqual(
      expect.arrayContaining([expect.stringContaining(domain)]),
    );
  expect(await codeOf(ann.client.addresses.create({ address: `more@${domain}` }))).toBe('422 domain_refused');
});

describe('the DNS check', () => {
  test('never treats a missing answer as a removed record', async () => {
    await prove(ann);
    for (const trouble of [dns.failing, dns.silent]) {
      trouble.add(domain);
      const info = await check(ann);
      expect(info).toMatchObject({ verified: true, healthy: true, missing_since: null });
      expect(recordOf(info, 'ownership')).toMatchObject({ state: 'unknown', ok: true });
      expect(recordOf(info, 'dmarc').state).toBe('found');
      trouble.delete(domain);
    }
    delete dns.zone[domain];
    const gone = await check(ann);
    expect(gone).toMatchObject({ verified: true, healthy: false });
    expect(gone.missing_since).not.toBeNull();
    expect(recordOf(gone, 'ownership').state).toBe('waiting');
    expect(await answerTo(`postmaster@${domain}`)).toBe('250');
  });

  test('does not verify a domain whose server does not answer', async () => {
    publish(await claim(ann));
    dns.silent.add(domain);
    expect(await check(ann)).toMatchObject({ verified: false });
    dns.silent.delete(domain);
  });

  test('shows what it found instead and what to do', async () => {
    const info = await claim(ann);
    const dkim = recordOf(info, 'dkim');
    dns.zone[domain] = {
      MX: [
        [5, 'mail.keyfold.test'],
        [10, 'mx.old.test'],
      ],
      TXT: ['v=spf1 include:_spf.old.test -all', 'keyfold-verify=0000'],
    };
    dns.zone[dkim.name] = { TXT: ['v=DKIM1; k=rsa; p=AAAA'] };
    dns.zone[`_dmarc.${domain}`] = { TXT: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] };
    const found = await check(ann);
    const tell = (purpose: Info['records'][number]['purpose']) => {
      const { state, found: texts, advice } = recordOf(found, purpose);
      return [state, texts, advice];
    };
    expect(tell('ownership')).toEqual(['different', ['keyfold-verify=0000'], 'add']);
    expect(tell('mx')).toEqual(['different', ['5 mail.keyfold.test', '10 mx.old.test'], 'remove_others']);
    expect(tell('spf')).toEqual(['different', ['v=spf1 include:_spf.old.test -all'], 'merge']);
    expect(tell('dkim')).toEqual(['different', ['v=DKIM1; k=rsa; p=AAAA'], 'replace']);
    expect(tell('dmarc')).toEqual(['different', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'keep_one']);
    dns.zone[domain] = { TXT: ['V=SPF1 a INCLUDE:keyfold.test include:_spf.old.test -all'] };
    expect(recordOf(await check(ann), 'spf').state).toBe('found');
  });

  test('accepts an answer of any size and stores little of it', async () => {
    const info = await claim(ann);
    dns.zone[domain] = {
      TXT: [
        ...Array.from({ length: 40 }, (_, index) => `keyfold-verify=${index}${'x'.repeat(900)}`),
        recordOf(info, 'ownership').value,
      ],
    };
    const checked = await check(ann);
    expect(checked.verified).toBe(true);
    const { found } = recordOf(checked, 'ownership');
    expect(found).toHaveLength(5);
    expect(found.every(text => text.length <= 601)).toBe(true);
  });

  test('runs on schedule and notifies the owner of changes', async () => {
    publish(await claim(ann));
    expect(await checkDueDomains(app.deps)).toBeGreaterThan(0);
    const subjects = async () => {
      const { data } = await ann.client.mail.query({ view: 'summary', count: 10 });
      return data.length;
    };
    expect(await subjects()).toBe(1);
    const info = (await ann.client.domains.info({ domain })).data;
    expect(info).toMatchObject({ healthy: true });
    await checkDueDomains(app.deps);
    clock.advance(DOMAIN_CHECK_HEALTHY_MS);
    delete dns.zone[`_dmarc.${domain}`];
    await checkDueDomains(app.deps);
    expect(await subjects()).toBe(2);
    const [newest] = (await ann.client.mail.query({ count: 1 })).data;
    expect(newest && (await openMail(ann, newest))).toContain('needs attention');
    expect((await ann.client.domains.info({ domain })).data).toMatchObject({ healthy: false });
  });
});

describe('a verified domain', () => {
  test('has addresses that its owner creates, moves and removes', async () => {
    expect(await codeOf(ann.client.domains.address({ username: 'info', domain }))).toBe('404 not_found');
    await prove(ann);
    const { data } = await ann.client.domains.address({ username: 'Info', domain });
    expect(data.address).toBe(`info@${domain}`);
    expect(await answerTo(data.address)).toBe('250');
    expect(await answerTo(`other@${domain}`)).toBe('550 5.1.1');
    expect(await answerTo('other@nobody.test')).toBe('550 5.7.1');
    expect((await ann.client.addresses.capabilities({})).data.domains).toEqual(['keyfold.test', domain]);
    expect(await codeOf(bob.client.domains.address({ username: 'me', domain }))).toBe('404 not_found');
    expect(await codeOf(bob.client.addresses.create({ address: `me@${domain}` }))).toBe('422 domain_refused');
    const alias = (await ann.client.addresses.create({ address: `moves${made}@keyfold.test` })).data.address;
    const moved = (await ann.client.domains.change({ address: alias, domain })).data.address;
    expect(moved).toBe(`moves${made}@${domain}`);
    expect(await answerTo(alias)).toBe('550 5.1.1');
    expect(await answerTo(moved)).toBe('250');
    const outgoing = await sealTestMessage(ann, { to: [bob] });
    await ann.client.sending.send_private({ ...outgoing, used_address: data.address });
  });

  test('has a catch-all address that does not cover retired addresses', async () => {
    await prove(ann);
    const gone = (await ann.client.domains.address({ username: 'gone', domain })).data.address;
    expect(await codeOf(ann.client.domains.catchall({ domain, address: bob.email }))).toBe(
      '403 sender_refused',
    );
    await ann.client.domains.catchall({ domain, address: ann.email });
    await ann.client.addresses.remove({ address: gone });
    expect(await answerTo(`anything@${domain}`)).toBe('250');
    expect(await answerTo(gone)).toBe('550 5.1.1');
    expect(await answerTo(gone.replace('@', '+tag@'))).toBe('550 5.1.1');
    const smtp = await connectSmtp(app.app.smtpPort ?? 0);
    await smtp.reply();
    for (const line of ['EHLO x.test', 'MAIL FROM:<f@outside.test>', `RCPT TO:<anything@${domain}>`, 'DATA'])
      await smtp.command(line);
    smtp.send(asData(Buffer.from('From: f@outside.test\r\nSubject: Caught\r\n\r\nYou there?\r\n')));
    expect(await smtp.reply()).toMatch(/^250/);
    smtp.destroy();
    // No user has keys under this address, and the key log proves it.
    const { data: keys } = await bob.client.mail.keys({ users: [`else@${domain}`] });
    expect(keys.map(one => 'plaintext' in one)).toEqual([true]);
    const { data: mails } = await ann.client.mail.query({});
    expect(await Promise.all(mails.map(mail => openMail(ann, mail)))).toEqual([
      expect.stringContaining('You there?'),
    ]);
    // The catch-all receives any name, but nothing can be sent from one.
    const forged = await sealTestMessage(ann, { to: [bob] });
    expect(await codeOf(ann.client.sending.send_private({ ...forged, used_address: `boss@${domain}` }))).toBe(
      '403 sender_refused',
    );
    await ann.client.domains.catchall({ domain, address: '' });
    expect(await answerTo(`anything@${domain}`)).toBe('550 5.1.1');
  });

  test('can be primary and then cannot be deleted, with the specified message', async () => {
    await claim(ann);
    expect(await codeOf(ann.client.domains.set_primary({ domain }))).toBe('422 domain_unproved');
    publish((await ann.client.domains.info({ domain })).data);
    await check(ann);
    await ann.client.domains.set_primary({ domain });
    expect((await ann.client.auth.check({})).data.primary_domain).toBe(domain);
    await expect(ann.client.domains.remove({ domain })).rejects.toThrow(
      'Cannot delete primary domain. Please set another domain as primary first.',
    );
    await ann.client.domains.set_primary({ domain: 'keyfold.test' });
    const { data } = await ann.client.domains.address({ username: 'info', domain });
    await ann.client.domains.catchall({ domain, address: data.address });
    await ann.client.domains.remove({ domain });
    expect((await ann.client.auth.check({})).data).toMatchObject({ domains: [], addresses: [] });
    expect(await answerTo(data.address)).toBe('550 5.7.1');
    expect(
      await app.db.selectFrom('domain_keys').select('domain').where('domain', '=', domain).execute(),
    ).toEqual([]);
  });

  test('can hold the main address while the user still signs in with the first one', async () => {
    await prove(ann);
    const { data } = await ann.client.domains.change_main({ domain });
    expect(data.email).toBe(`${ann.email.split('@')[0]}@${domain}`);
    const login = { email: ann.email, password: ann.loginHash, keep_signed_in: false };
    const { data: user } = await app.client().sign_in.login(login);
    expect(user).toMatchObject({ email: data.email, kdf_email: ann.email, addresses: [ann.email] });
    expect(await codeOf(ann.client.addresses.remove({ address: ann.email }))).toBe('422 address_kept');
    expect(await codeOf(ann.client.domains.remove({ domain }))).toBe('422 domain_main');
    expect(await answerTo(ann.email)).toBe('250');
    expect(await codeOf(ann.client.domains.change_main({ domain: `x.${domain}` }))).toBe('404 not_found');
    await ann.client.domains.change_main({ domain: 'keyfold.test' });
    expect((await ann.client.auth.check({})).data.email).toBe(ann.email);
    await ann.client.domains.remove({ domain });
  });

  test('cannot be used to exceed the address limit by moving the main address', async () => {
    const second = `second.${domain}`;
    await setPlan(ann, 'plus');
    await prove(ann);
    await prove(ann, second);
    await app.db.updateTable('users').set({ plan: 'free' }).where('email', '=', ann.email).execute();
    for (let number = 0; number < 3; number++)
      await ann.client.addresses.create({ address: `full${number}.${made}@keyfold.test` });
    // The login address is replaced without counting. An address that becomes an alias in the
    // process does count.
    await ann.client.domains.change_main({ domain });
    expect(await codeOf(ann.client.domains.change_main({ domain: second }))).toBe(
      '422 address_limit_reached',
    );
    expect((await ann.client.addresses.capabilities({})).data).toMatchObject({ used: 3, limit: 3 });
    await ann.client.addresses.remove({ address: `full0.${made}@keyfold.test` });
    await ann.client.domains.change_main({ domain: second });
    // An address that already exists is not counted as new.
    await ann.client.domains.change_main({ domain });
    expect((await ann.client.addresses.capabilities({})).data).toMatchObject({ used: 3, limit: 3 });
  });

  test('signs with its own key once the record is found, and changes keys without a gap', async () => {
    const signer = async () => {
      const { domain: name, selector } = await getSigningKey(app.deps, domain);
      return `${selector} ${name}`;
    };
    const info = await claim(ann);
    publish(info, ['ownership']);
    await check(ann);
    expect(await signer()).toBe('kf1 keyfold.test');
    publish(info);
    await check(ann);
    expect(await signer()).toBe(`kf1 ${domain}`);
    const waiting = (await ann.client.domains.new_key({ domain })).data;
    expect(waiting.records.filter(({ purpose }) => purpose === 'dkim').map(({ host }) => host)).toEqual([
      'kf1._domainkey',
      'kf2._domainkey',
    ]);
    expect(await check(ann)).toMatchObject({ healthy: true });
    expect(await signer()).toBe(`kf1 ${domain}`);
    // A second request returns the key that is already waiting.
    expect((await ann.client.domains.new_key({ domain })).data.records).toHaveLength(waiting.records.length);
    publish(waiting, ['dkim']);
    await check(ann);
    expect(await signer()).toBe(`kf2 ${domain}`);
    // A key whose record disappears is replaced only by one whose record exists.
    delete dns.zone[recordOf(waiting, 'dkim').name];
    await check(ann);
    expect(await signer()).toBe(`kf1 ${domain}`);
    for (const { name } of waiting.records.filter(({ purpose }) => purpose === 'dkim')) delete dns.zone[name];
    await check(ann);
    expect(await signer()).toBe(`kf1 ${domain}`);
  });

  test('is served an MTA-STS policy with mode none under a self-signed certificate', async () => {
    const reply = await app.client().fetch('/.well-known/mta-sts.txt');
    expect(reply.headers.get('content-type')).toContain('text/plain');
    expect((await reply.text()).split('\r\n').slice(0, 3)).toEqual([
      'version: STSv1',
      'mode: none',
      'mx: mail.keyfold.test',
    ]);
  });

  test('is not found by other users', async () => {
    await prove(ann);
    const { domains } = bob.client;
    for (const call of [
      () => domains.info({ domain }),
      () => domains.health({ domain }),
      () => domains.readiness({ domain }),
      () => domains.validation_record({ domain }),
      () => domains.remove({ domain }),
      () => domains.set_primary({ domain }),
      () => domains.change_main({ domain }),
      () => domains.catchall({ domain, address: '' }),
      () => domains.new_key({ domain }),
    ])
      expect(await codeOf(call())).toBe('404 not_found');
  });
});
