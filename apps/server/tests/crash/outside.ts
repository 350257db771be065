/**
 * The world outside in the crash test: a relay that takes everything, when it took it, and when the product was killed.
 *
 * A mail may arrive outside once more only through the gap that SMTP leaves open ([Note: The lost 250] in
 * features/outbound/delivery/settle.ts): the relay had it, and the product was killed before it could write that down.
 */
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import { type Ledger, note } from './ledger.ts';

/** So long before a kill the product may have had the relay's answer, and not have written it down. */
const BEFORE_KILL_MS = 200;
/** What it had sent by then is noted here, by a process that is busy too, so long after the kill. */
const AFTER_KILL_MS = 500;
const MARK = /\b[0-9a-f]{32}\b/;

export type Outside = {
  readonly relayUrl: string;
  /** Notes that the product was killed just now, or between `sinceMs` and now. */
  readonly onKill: (sinceMs?: number) => void;
  /** What is wrong, in words; acknowledged mail may still be missing unless `isFinal`. */
  readonly findBroken: (ledger: Ledger, isFinal: boolean) => string[];
  readonly close: () => Promise<void>;
};

export async function startOutside(): Promise<Outside> {
  const sink: SmtpSink = await startSmtpSink();
  /** Times of arrival by recipient, whose address is used once. */
  const arrivals = new Map<string, number[]>();
  const kills: { readonly sinceMs: number; readonly untilMs: number }[] = [];
  sink.refuseMessage = ({ to, raw }) => {
    for (const address of to) {
      const mark = MARK.exec(address)?.[0] ?? '';
      if (mark === '' || !raw.includes(mark)) return [554, 'Not a mail of this test'];
      const known = arrivals.get(address);
      if (known === undefined) arrivals.set(address, [Date.now()]);
      else known.push(Date.now());
    }
    return null;
  };
  return {
    relayUrl: `smtp://127.0.0.1:${sink.port}`,
    onKill: (sinceMs = Date.now()) => kills.push({ sinceMs, untilMs: Date.now() }),
    close: sink.close,
    findBroken: (ledger, isFinal) => {
      const broken: string[] = [];
      let delivered = 0;
      let again = 0;
      const expected = new Set<string>();
      for (const { outside, fate } of ledger.entries.values()) {
        for (const address of outside) {
          expected.add(address);
          const times = arrivals.get(address) ?? [];
          if (times.length > 0) delivered++;
          if (times.length === 0 && isFinal && fate === 'acknowledged')
            broken.push(`${address} was acknowledged and did not arrive outside`);
          for (const [index, time] of times.slice(0, -1).entries()) {
            again++;
            const next = times[index + 1] ?? time;
            const excuses = kills.filter(
              kill =>
                kill.sinceMs < next &&
                kill.sinceMs - time < BEFORE_KILL_MS &&
                time - kill.untilMs < AFTER_KILL_MS,
            );
            if (excuses.length === 0) {
              broken.push(`${address} arrived outside again without a crash between`);
              continue;
            }
            const gapMs = Math.min(...excuses.map(({ sinceMs }) => Math.max(0, sinceMs - time)));
            note(ledger.tally, 'ms at most between a delivery of those and its kill', gapMs);
          }
        }
      }
      for (const address of arrivals.keys())
        if (!expected.has(address)) broken.push(`${address} got mail that nobody sent`);
      ledger.tally.set('recipients outside', delivered);
      ledger.tally.set('arrived outside once more (lost 250)', again);
      return broken;
    },
  };
}
