/**
 * Sends the daily reports that other domains ask for when they are due: signed, in the name of our first domain, and whatever
 * the TLS on the way to them is like, since that may be the very thing that they report (RFC 8460 §5.3).
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
  /** Sends what is due now; returns how many reports are done with. */
  readonly run: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Starts the rounds; the first is half an hour away. */
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
        // A report that cannot be delivered is nobody's to answer.
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
    run().catch(error => deps.logger.warn({ err: error }, 'reports could not be sent'));
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
