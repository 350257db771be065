/**
 * Remembers what DNS said for a short while: a sender that has much mail for us has its policy and keys looked up once a
 * minute, not three times a message. Names that do not exist are remembered too; failures are not.
 */
import { type Dns, type DnsRecords, isAbsence } from '../../adapters/dns.ts';

const KEPT_MS = 60_000;
const ENTRIES_MAX = 20_000;

/** The same DNS with a memory; questions asked at the same time are asked once. */
export function createDnsCache(dns: Dns, now: () => number = () => performance.now()): Dns {
  const entries = new Map<string, { readonly answer: Promise<DnsRecords>; readonly untilMs: number }>();
  return {
    resolve: (name, type) => {
      const key = `${type} ${name.toLowerCase()}`;
      const known = entries.get(key);
      if (known !== undefined && known.untilMs > now()) return known.answer;
      entries.delete(key);
      // Maps keep the order of insertion: the first is the oldest.
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '');
      const answer = dns.resolve(name, type);
      const entry = { answer, untilMs: now() + KEPT_MS };
      entries.set(key, entry);
      answer.catch(error => {
        if (!isAbsence(error) && entries.get(key) === entry) entries.delete(key);
      });
      return answer;
    },
  };
}
