/**
 * Outside recipients in the crash test: a relay that accepts everything, with its acceptance times,
 * and the times at which the product was killed.
 *
 * A message may arrive outside a second time only through the gap that SMTP leaves open ([Note: The
 * lost 250] in features/outbound/delivery/settle.ts): the relay had accepted it, and the product
 * was killed before it could record that.
 */
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import { type Ledger, note } from './ledger.ts';

/**
 * The longest time before a kill in which the product may have received the relay's answer without
 * recording it.
 */
const BEFORE_KILL_MS = 200;
/**
 * The time after a kill in which messages sent before it may still be recorded here, because this
 * process is busy too.
 */
const AFTER_KILL_MS = 500;
const MARK = /\b[0-9a-f]{32}\b/;

export type Outside = {
  readonly relayUrl: string;
  /** Records that the product was killed just now, or between `sinceMs` and now. */
  readonly onKill: (sinceMs?: number) => void;
  /**
   * Returns the violations as text. Acknowledged messages may still be missing unless `isFinal`.
   */
  readonly findBroken: (ledger: Ledger, isFinal: boolean) => string[];
  readonly close: () => Promise<void>;
};

export async function startOutside(): Promise<Outside> {
  const sink: SmtpSink = await startSmtpSink();
  /** Times of arrival by recipient. Each recipient address is used only once. */
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
