/**
 * Gets certificates by ACME and renews them: adds the wanted names, claims those that are due, and
 * orders each. All machines may run it at once ([Note: Due names] in
 * db/migrations/0170-certificates.ts).
 */
import { createPrivateKey, generateKeyPair, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type { CertificateProblem } from '@keyfold/contract';
import { type Acme, AcmeError, createAcme } from '../../../adapters/acme.ts';
import { isAbsence } from '../../../adapters/dns.ts';
import { counter } from '../../../base/metrics.ts';
import type { AcmeConfig } from '../../../config/https.ts';
import type { Deps } from '../../../context/deps.ts';
import { type AuditActor, writeAudit } from '../audit/index.ts';
import { openPrivateKey, sealPrivateKey } from './keys.ts';
import { derivedNames, ownNames } from './names.ts';
import {
  type CertificateRow,
  claimDue,
  deleteChallenge,
  deleteUnwanted,
  findAccount,
  findByName,
  insertAccount,
  insertChallenge,
  putIssued,
  putProblem,
  replaceAccount,
  wantNames,
} from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longest time that an order may take before another machine may repeat it. */
const CLAIM_MS = 10 * MINUTE_MS;
/** Orders per run; the rest are due in the next one. */
const RUN_MAX = 20;
/** Part of a certificate's lifetime after which it is renewed. */
const RENEW_AFTER = 2 / 3;
/** Waits after failures; authorities allow five failed verifications of a name per hour. */
const RETRY_MS = [15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS] as const;
/** A certificate that is newer than this is not ordered again. */
const FRESH_MS = 10 * MINUTE_MS;
/** Interval of the check whether an own name has an address. */
const DNS_RETRY_MS = 5 * MINUTE_MS;
/** Interval of the check whether the DNS records of a derived name lead here. */
const WAITING_MS = HOUR_MS;

const generate = promisify(generateKeyPair);
const orders = counter('keyfold_certificate_orders_total', 'Orders of certificates by outcome', ['outcome']);

type RenewDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'dns' | 'logger' | 'masterKey'>;

type RenewAllDeps = RenewDeps & {
  /** Returns the verified domains of users. */
  readonly listVerifiedDomains: (deps: Pick<Deps, 'db'>) => Promise<readonly string[]>;
};

class NotOrdered extends Error {
  readonly problem: CertificateProblem;
  constructor(problem: CertificateProblem) {
    super(problem);
    this.problem = problem;
  }
}

async function makeKey(): Promise<string> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Returns the addresses of a name, none if it does not exist. Throws if DNS does not answer. */
async function addressesOf({ dns }: RenewDeps, name: string): Promise<Set<string>> {
  const answers = await Promise.all(
    ['A', 'AAAA'].map(type =>
      dns.resolve(name, type).catch(error => {
        if (isAbsence(error)) return [];
        throw new NotOrdered('dns');
      }),
    ),
  );
  return new Set(answers.flat().filter(one => typeof one === 'string'));
}

/** What the orders of one run share. */
type Run = {
  readonly config: AcmeConfig;
  readonly acme: Acme;
  /** Returns the addresses of the service's own names, looked up once. */
  readonly findOwn: () => Promise<Set<string>>;
};

function createRun(deps: RenewDeps, config: AcmeConfig): Run {
  const lookUp = async (): Promise<Set<string>> => {
    const found = await Promise.all(ownNames(deps.config).map(name => addressesOf(deps, name)));
    return new Set(found.flatMap(addresses => [...addresses]));
  };
  let own: Promise<Set<string>> | undefined;
  return {
    config,
    acme: createAcme(config),
    findOwn: () => {
      own ??= lookUp();
      return own;
    },
  };
}

/** Throws NotOrdered unless an authority that looks up the name would find this service. */
async function requirePointing(deps: RenewDeps, { findOwn }: Run, name: string): Promise<void> {
  const addresses = await addressesOf(deps, name);
  if (ownNames(deps.config).includes(name)) {
    if (addresses.size === 0) throw new NotOrdered('no_address');
    return;
  }
  if ((await findOwn()).isDisjointFrom(addresses)) throw new NotOrdered('not_pointing');
}

/** Returns the key of the account with the authority, as PEM; creates it for the first order. */
async function getAccountKey(deps: RenewDeps, { directoryUrl: directory }: AcmeConfig): Promise<string> {
  const { db, masterKey, clock } = deps;
  const known = await findAccount(db, directory);
  const opened = known && openPrivateKey(masterKey, directory, known.key_sealed);
  if (opened) return opened;
  const keySealed = sealPrivateKey(masterKey, directory, await makeKey());
  if (known === undefined) await insertAccount(db, { directory, keySealed, now: clock.now() });
  else await replaceAccount(db, directory, keySealed);
  // Another machine may have been faster; the stored key is authoritative.
  const stored = await findAccount(db, directory);
  const key = stored && openPrivateKey(masterKey, directory, stored.key_sealed);
  if (!key) throw new Error('The key of the ACME account was not stored');
  return key;
}

/** Returns the validity of a chain. Throws NotOrdered when it is not for this key and name. */
function checkChain(
  chain: string,
  name: string,
  key: string,
): { readonly beginsMs: number; readonly endsMs: number } {
  const leaf = new X509Certificate(chain);
  if (leaf.checkHost(name) === undefined || !leaf.checkPrivateKey(createPrivateKey(key)))
    throw new NotOrdered('invalid');
  return { beginsMs: Date.parse(leaf.validFrom), endsMs: Date.parse(leaf.validTo) };
}

async function order(deps: RenewDeps, run: Run, row: CertificateRow): Promise<void> {
  const { db, masterKey, clock } = deps;
  const { name } = row;
  await requirePointing(deps, run, name);
  // The same key again: TLSA records (DANE) name it.
  const known = row.key_sealed && openPrivateKey(masterKey, name, row.key_sealed);
  const key = known ?? (await makeKey());
  const chain = await run.acme.order({
    name,
    key,
    accountKey: await getAccountKey(deps, run.config),
    publish: (token, response) => {
      const now = clock.now();
      return insertChallenge(db, { token, response, now, staleBefore: new Date(now.getTime() - HOUR_MS) });
    },
    withdraw: token => deleteChallenge(db, token),
  });
  const { beginsMs, endsMs } = checkChain(chain, name, key);
  await putIssued(db, {
    name,
    keySealed: sealPrivateKey(masterKey, name, key),
    chain,
    issuedAt: clock.now(),
    endsAt: new Date(endsMs),
    renewAt: new Date(beginsMs + (endsMs - beginsMs) * RENEW_AFTER),
  });
  deps.logger.info({ name, ends_at: new Date(endsMs).toISOString() }, 'certificate issued');
}

const problemOf = (error: unknown): CertificateProblem | null =>
  error instanceof NotOrdered ? error.problem : error instanceof AcmeError ? error.reason : null;

/** Returns how long to wait. What only DNS decides costs the authority nothing. */
function waitAfter(problem: CertificateProblem, failures: number): number {
  if (problem === 'not_pointing') return WAITING_MS;
  if (problem === 'no_address' || problem === 'dns') return DNS_RETRY_MS;
  return RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? HOUR_MS;
}

async function noteFailure(deps: RenewDeps, row: CertificateRow, error: unknown): Promise<void> {
  const { clock, db, logger } = deps;
  const problem = problemOf(error) ?? 'internal';
  // A derived name that leads elsewhere is no failure: its owner may never publish it.
  const failures = problem === 'not_pointing' ? 0 : row.failures + 1;
  const detail = error instanceof AcmeError ? error.message : null;
  await putProblem(db, row.name, {
    problem,
    detail,
    failures,
    nextTryAt: new Date(clock.now().getTime() + waitAfter(problem, failures)),
  });
  if (failures === 0) return;
  orders.inc({ outcome: 'failed' });
  const unexpected = problem === 'internal' ? { err: error } : {};
  logger.warn({ ...unexpected, name: row.name, problem, detail, failures }, 'certificate not issued');
}

async function orderNoted(deps: RenewDeps, run: Run, row: CertificateRow): Promise<boolean> {
  try {
    await order(deps, run, row);
    orders.inc({ outcome: 'issued' });
    return true;
  } catch (error) {
    await noteFailure(deps, row, error);
    return false;
  }
}

function claimOptions({ clock }: RenewDeps) {
  const now = clock.now();
  return { now, claimedUntil: new Date(now.getTime() + CLAIM_MS) };
}

/** Orders the certificates that are due, and returns how many were issued. */
export async function renewCertificates(deps: RenewAllDeps): Promise<number> {
  const config = deps.config.https?.acme;
  if (!config) return 0;
  const derived = derivedNames(deps.config, await deps.listVerifiedDomains(deps));
  const now = deps.clock.now();
  await wantNames(deps.db, [...ownNames(deps.config), ...derived], now);
  await deleteUnwanted(deps.db, now);
  const run = createRun(deps, config);
  let issued = 0;
  for (let tried = 0; tried < RUN_MAX; tried++) {
    const row = await claimDue(deps.db, claimOptions(deps));
    if (row === undefined) break;
    if (await orderNoted(deps, run, row)) issued++;
  }
  return issued;
}

/**
 * Orders the certificate of one name now, for an admin; `unknown` when the service wants none for
 * it.
 */
export async function renewNow(
  deps: RenewDeps,
  actor: AuditActor,
  name: string,
): Promise<'renewed' | 'failed' | 'unknown'> {
  const config = deps.config.https?.acme;
  if (!config) return 'unknown';
  const known = await findByName(deps.db, name);
  if (known === undefined) return 'unknown';
  // Authorities limit how often they certify the same name.
  const ageMs = deps.clock.now().getTime() - (known.issued_at?.getTime() ?? 0);
  if (ageMs < FRESH_MS && known.failures === 0) return 'renewed';
  const row = await claimDue(deps.db, { ...claimOptions(deps), name });
  if (row === undefined) return 'failed';
  const at = deps.clock.now();
  await deps.db
    .transaction()
    .execute(trx => writeAudit(trx, { actor, action: 'renew_certificate', object: name, at }));
  return (await orderNoted(deps, createRun(deps, config), row)) ? 'renewed' : 'failed';
}
