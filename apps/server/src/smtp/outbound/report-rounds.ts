/**
 * Sends the daily reports that other domains request, when they are due. They are signed in the
 * name of our first domain and sent regardless of the TLS on the way, because TLS may be the very
 * problem that they report (RFC 8460 §5.3).
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../context/deps.ts';
import { getSigningKey } from '../../features/outbound/delivery/index.ts';
import { sendDueDmarcReports } from '../../features/reports/dmarc-reports/index.ts';
import {
  createReportBounds,
  type SendReportMail,
  sendDueTlsReports,
} from '../../features/reports/tls-policy/index.ts';
import { createSharedWindows } from '../../features/support/rate-limits/index.ts';
import { createSmtpTransport } from './transport.ts';

const ROUND_MS = 30 * 60_000;
const DAY_MS = 86_400_000;

export type ReportRounds = {
  /** Sends the reports that are due and returns how many are complete. */
  readonly run: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Starts the rounds. The first one runs after half an hour. */
export function startReportRounds(deps: Deps): ReportRounds {
  const abort = new AbortController();
  const bounds = createReportBounds((name, points, keysMax) =>
    createSharedWindows(deps, { name, points, windowMs: DAY_MS, keysMax }),
  );
  const transport = createSmtpTransport(
    { ...deps, config: { ...deps.config, isDaneUsed: false } },
    { find: async () => ({ policy: null, problem: null }) },
    () => undefined,
  );

  const sendMail: SendReportMail = async ({ submitter, to, message }) => {
    const [outcome] = await transport.transmit(
      {
        domain: domainOf(to),
        // A null sender: a report that cannot be delivered must not bounce.
        sender: '',
        recipients: [to],
        message,
        signingKey: await getSigningKey(deps, submitter),
      },
      abort.signal,
    );
    return outcome?.kind === 'delivered';
  };

  const runOnce = async (): Promise<number> =>
    (await sendDueTlsReports(deps, bounds, sendMail, abort.signal)) +
    (await sendDueDmarcReports(deps, sendMail, abort.signal));

  let running: Promise<unknown> = Promise.resolve();
  const run = (): Promise<number> => {
    const next = running.then(runOnce);
    running = next.catch(() => undefined);
    return next;
  };
  const timer = setInterval(() => {
    run().catch(error => deps.logger.warn({ err: error }, 'could not send reports'));
  }, ROUND_MS);
  timer.unref();
  return {
    run,
    close: async () => {
      clearInterval(timer);
      abort.abort();
      await running;
    },
  };
}
