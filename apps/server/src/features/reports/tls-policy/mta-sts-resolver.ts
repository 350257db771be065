/**
 * Resolves the MTA-STS policy of a domain (RFC 8461 §3.3, §5.1): announced in DNS, fetched over
 * HTTPS, and stored encrypted in the database until it expires. So neither a restart nor an
 * attacker who blocks lookups can remove the requirement of TLS. The web server's certificate
 * authenticates a policy.
 */
import { LRUCache } from 'lru-cache';
import { askPublicWeb, WebRefusal } from '../../../adapters/outbound-http.ts';
import { untilAborted } from '../../../base/until-aborted.ts';
import type { Deps } from '../../../context/deps.ts';
import { deleteExpiredPolicies, findPolicy, savePolicy } from './store.ts';
import { findPolicyId, readPolicy, type StsPolicy } from './sts-policy.ts';

/** Why an announced policy could not be used: failure types of RFC 8460 §4.3.2. */
export type StsProblem = 'sts-policy-fetch-error' | 'sts-policy-invalid';

/** Without a policy, mail is delivered as if the domain did not use MTA-STS. */
export type StsFinding = { readonly policy: StsPolicy | null; readonly problem: StsProblem | null };

export type MtaStsResolver = {
  /**
   * Rejects when the database is unavailable or the signal aborts, but not for failures of the
   * domain.
   */
  readonly find: (domain: string, signal: AbortSignal) => Promise<StsFinding>;
};

type ResolverDeps = Pick<Deps, 'clock' | 'db' | 'dns' | 'logger' | 'masterKey' | 'outboundConnector'>;

const PURPOSE = 'sts policy';
const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
/** RFC 8461 §3.3 suggests one minute. */
const FETCH_TIMEOUT_MS = 60 * SECOND_MS;
const POLICY_MAX_BYTES = 64 * 1024;
/** Age at which a policy in use is fetched again, long before it expires. */
const REFRESH_AFTER_MS = 24 * HOUR_MS;
/** Time until the next attempt after a failure (RFC 8461 §3.3: at least five minutes). */
const FAILURE_BACKOFF_MS = 10 * 60 * SECOND_MS;
const FAILURES_MAX = 10_000;

type Failure = { readonly id: string; readonly problem: StsProblem; readonly until: number };

/** A lookup that several callers may wait for; it is aborted when the last of them leaves. */
type Lookup = { readonly finding: Promise<StsFinding>; readonly abort: AbortController; callers: number };

type StoredPolicy = { readonly policy: StsPolicy; readonly fetchedAt: Date };

type Failures = LRUCache<string, Failure>;

const digestOf = ({ masterKey }: ResolverDeps, domain: string): Buffer => masterKey.digest(PURPOSE, domain);

async function findStored(deps: ResolverDeps, domain: string): Promise<StoredPolicy | null> {
  const digest = digestOf(deps, domain);
  const row = await findPolicy(deps.db, digest, deps.clock.now());
  if (row === undefined) return null;
  try {
    const text = deps.masterKey.open(PURPOSE, digest.toString('hex'), row.policy_sealed).toString();
    return { policy: JSON.parse(text) as StsPolicy, fetchedAt: new Date(row.fetched_at) };
  } catch {
    // Encrypted with another master key: unusable, and replaced when the policy is fetched again.
    return null;
  }
}

async function storePolicy(deps: ResolverDeps, domain: string, policy: StsPolicy): Promise<void> {
  const { clock, db, masterKey } = deps;
  const now = clock.now();
  const digest = digestOf(deps, domain);
  const sealed = masterKey.seal(PURPOSE, digest.toString('hex'), Buffer.from(JSON.stringify(policy)));
  await savePolicy(db, digest, {
    policy_sealed: sealed,
    fetched_at: now,
    expires_at: new Date(now.getTime() + policy.maxAgeSeconds * SECOND_MS),
  });
  await deleteExpiredPolicies(db, now);
}

async function fetchPolicy(
  { dns, logger, outboundConnector }: ResolverDeps,
  domain: string,
  id: string,
  signal: AbortSignal,
): Promise<StsPolicy | StsProblem> {
  try {
    const answer = await askPublicWeb(
      { dns, outboundConnector },
      {
        url: `https://mta-sts.${domain}/.well-known/mta-sts.txt`,
        method: 'GET',
        schemes: ['https:'],
        headers: { accept: 'text/plain' },
        maxBytes: POLICY_MAX_BYTES,
        maxRedirects: 0,
        mayLeaveOrigin: false,
        signal: AbortSignal.any([AbortSignal.timeout(FETCH_TIMEOUT_MS), signal]),
      },
    );
    if (answer.status !== 200 || !/^text\/plain\s*(?:;|$)/i.test(answer.contentType ?? ''))
      return 'sts-policy-fetch-error';
    return readPolicy(answer.body.toString('utf8'), id) ?? 'sts-policy-invalid';
  } catch (error) {
    if (!(error instanceof WebRefusal)) throw error;
    logger.info({ reason: error.message }, 'could not fetch an MTA-STS policy');
    return 'sts-policy-fetch-error';
  }
}

/** The policy id in a domain's DNS record, or null. */
async function findAnnouncedId({ dns }: ResolverDeps, domain: string): Promise<string | null> {
  try {
    return findPolicyId(await dns.resolve(`_mta-sts.${domain}`, 'TXT'));
  } catch {
    // No answer and no record mean the same: neither invalidates a stored policy (RFC 8461 §5.1).
    return null;
  }
}

async function lookUp(
  deps: ResolverDeps,
  failures: Failures,
  domain: string,
  signal: AbortSignal,
): Promise<StsFinding> {
  const stored = await findStored(deps, domain);
  const policy = stored?.policy ?? null;
  const id = await findAnnouncedId(deps, domain);
  signal.throwIfAborted();
  if (id === null) return { policy, problem: null };
  const now = deps.clock.now().getTime();
  const isFresh = stored !== null && now - stored.fetchedAt.getTime() < REFRESH_AFTER_MS;
  if (isFresh && stored.policy.id === id) return { policy, problem: null };
  const failed = failures.get(domain);
  if (failed !== undefined && failed.id === id && failed.until > now)
    return { policy, problem: failed.problem };
  const fetched = await fetchPolicy(deps, domain, id, signal);
  signal.throwIfAborted();
  failures.delete(domain);
  if (typeof fetched !== 'string') {
    await storePolicy(deps, domain, fetched);
    return { policy: fetched, problem: null };
  }
  failures.set(domain, { id, problem: fetched, until: now + FAILURE_BACKOFF_MS });
  return { policy, problem: fetched };
}

export function createMtaStsResolver(deps: ResolverDeps): MtaStsResolver {
  const failures: Failures = new LRUCache({ max: FAILURES_MAX });
  const running = new Map<string, Lookup>();

  const start = (domain: string): Lookup => {
    const abort = new AbortController();
    const lookup: Lookup = { finding: lookUp(deps, failures, domain, abort.signal), abort, callers: 0 };
    // No caller may be left to handle the rejection.
    lookup.finding.catch(() => undefined);
    running.set(domain, lookup);
    return lookup;
  };

  return {
    find: async (domain, signal) => {
      const lookup = running.get(domain) ?? start(domain);
      lookup.callers++;
      try {
        return await untilAborted(lookup.finding, signal);
      } finally {
        lookup.callers--;
        if (lookup.callers === 0 && running.get(domain) === lookup) running.delete(domain);
        if (lookup.callers === 0) lookup.abort.abort();
      }
    },
  };
}
