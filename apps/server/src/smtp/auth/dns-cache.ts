/**
 * Caches DNS responses briefly: the policy and keys of a busy sender are looked up once a minute
 * instead of three times per message. Nonexistent names are cached too; failures are not.
 */
import { LRUCache } from 'lru-cache';
import { type Dns, type DnsRecords, isAbsence } from '../../adapters/dns.ts';

const KEPT_MS = 60_000;
const ENTRIES_MAX = 20_000;

/** Returns the same DNS with a cache; concurrent identical queries are sent once. */
export function createDnsCache(dns: Dns, now: () => number = () => performance.now()): Dns {
  const answers = new LRUCache<string, Promise<DnsRecords>>({
    max: ENTRIES_MAX,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    resolve: (name, type) => {
      const key = `${type} ${name.toLowerCase()}`;
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = dns.resolve(name, type);
      answers.set(key, answer);
      answer.catch(error => {
        if (!isAbsence(error) && answers.peek(key) === answer) answers.delete(key);
      });
      return answer;
    },
  };
}
