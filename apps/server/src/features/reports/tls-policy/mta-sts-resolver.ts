/**
 * Which MTA-STS policy a domain has now (RFC 8461 §3.3, §5.1): announced in DNS, fetched over HTTPS, remembered sealed in
 * the database until it expires, so that neither a restart nor somebody who blocks the look-ups makes us forget that a
 * domain wants TLS. The certificate of the web server is what proves a policy.
 */
import { LRUCache } from 'lru-cache';
import { askPublicWeb, WebRefusal } from '../../../adapters/outbound-http.ts';
import { untilAborted } from '../../../base/until-aborted.ts';
import type { Deps } from '../../../context/deps.ts';
import { deleteExpiredPolicies, findPolicy, savePolicy } from './store.ts';
import { findPolicyId, readPolicy, type StsPolicy } from './sts-policy.ts';

/** Why there is no fresh policy although one is announced, in the words of RFC 8460 §4.3.2. */
export type StsProblem = 'sts-policy-fetch-error' | 'sts-policy-invalid';

/** What is known of a domain; without a policy mail goes as if there were no MTA-STS. */
export type StsFinding = { readonly policy: StsPolicy | null; readonly problem: StsProblem | null };

export type MtaStsResolver = {
  /** Never rejects for what the other side does, but when the database cannot be asked, and when the signal ends it. */
  readonly find: (domain: string, signal: AbortSignal) => Promise<StsFinding>;
};

type ResolverDeps = Pick<Deps, 'clock' | 'db' | 'dns' | 'logger' | 'masterKey' | 'outboundConnector'>;

const PURPOSE = 'sts policy';
const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
/** RFC 8461 §3.3 names a minute. */
const FETCH_TIMEOUT_MS = 60 * SECOND_MS;
const POLICY_MAX_BYTES = 64 * 1024;
/** A policy that is used is fetched again once it is this old, long before it expires. */
const REFRESH_AFTER_MS = 24 * HOUR_MS;
/** After a failure nobody is asked again for this long (RFC 8461 §3.3: five minutes at least). */
const FAILURE_REST_MS = 10 * 60 * SECOND_MS;
const FAILURES_MAX = 10_000;

/** A look at a domain that several may wait for; it ends with the last of them. */
type Look = { readonly finding: Promise<StsFinding>; readonly abort: AbortController; askers: number };

type Known = { readonly policy: StsPolicy; readonly fetchedAt: Date };

export function createMtaStsResolver(deps: ResolverDeps): MtaStsResolver {
  const { clock, db, dns, logger, masterKey, outboundConnector } = deps;
  const failures = new LRUCache<
    string,
    { readonly id: string; readonly problem: StsProblem; readonly until: number }
  >({ max: FAILURES_MAX });
  const running = new Map<string, Look>();

  const digestOf = (domain: string): Buffer => masterKey.digest(PURPOSE, domain);

  const findKnown = async (domain: string): Promise<Known | null> => {
    const digest = digestOf(domain);
    const row = await findPolicy(db, digest, clock.now());
    if (row === undefined) return null;
    try {
      const text = masterKey.open(PURPOSE, digest.toString('hex'), row.policy_sealed).toString();
      return { policy: JSON.parse(text) as StsPolicy, fetchedAt: new Date(row.fetched_at) };
    } catch {
      // Sealed under another master key: as good as not there, and replaced by the next one fetched.
      return null;
    }
  };

  const keep = async (domain: string, policy: StsPolicy): Promise<void> => {
    const now = clock.now();
    const digest = digestOf(domain);
    const sealed = masterKey.seal(PURPOSE, digest.toString('hex'), Buffer.from(JSON.stringify(policy)));
    await savePolicy(db, digest, {
      policy_sealed: sealed,
      fetched_at: now,
      expires_at: new Date(now.getTime() + policy.maxAgeSeconds * SECOND_MS),
    });
    await deleteExpiredPolicies(db, now);
  };

  const fetchPolicy = async (
    domain: string,
    id: string,
    signal: AbortSignal,
  ): Promise<StsPolicy | StsProblem> => {
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
      logger.info({ reason: error.message }, 'a policy could not be fetched');
      return 'sts-policy-fetch-error';
    }
  };

  const announcedId = async (domain: string): Promise<string | null> => {
    try {
      return findPolicyId(await dns.resolve(`_mta-sts.${domain}`, 'TXT'));
    } catch {
      // Silence and "there is none" are the same here: neither takes a policy away that is known (RFC 8461 §5.1).
      return null;
    }
  };

  const look = async (domain: string, signal: AbortSignal): Promise<StsFinding> => {
    const known = await findKnown(domain);
    const policy = known?.policy ?? null;
    const id = await announcedId(domain);
    signal.throwIfAborted();
    if (id === null) return { policy, problem: null };
    const now = clock.now().getTime();
    const isFresh = known !== null && now - known.fetchedAt.getTime() < REFRESH_AFTER_MS;
    if (isFresh && known.policy.id === id) return { policy, problem: null };
    const failed = failures.get(domain);
    if (failed !== undefined && failed.id === id && failed.until > now)
      return { policy, problem: failed.problem };
    const fetched = await fetchPolicy(domain, id, signal);
    signal.throwIfAborted();
    failures.delete(domain);
    if (typeof fetched !== 'string') {
      await keep(domain, fetched);
      return { policy: fetched, problem: null };
    }
    failures.set(domain, { id, problem: fetched, until: now + FAILURE_REST_MS });
    return { policy, problem: fetched };
  };

  const begin = (domain: string): Look => {
    const abort = new AbortController();
    const begun: Look = { finding: look(domain, abort.signal), abort, askers: 0 };
    // Who left does not hear of its end.
    begun.finding.catch(() => undefined);
    running.set(domain, begun);
    return begun;
  };

  return {
    find: async (domain, signal) => {
      const asked = running.get(domain) ?? begin(domain);
      asked.askers++;
      try {
        return await untilAborted(asked.finding, signal);
      } finally {
        asked.askers--;
        if (asked.askers === 0 && running.get(domain) === asked) running.delete(domain);
        if (asked.askers === 0) asked.abort.abort();
      }
    },
  };
}
