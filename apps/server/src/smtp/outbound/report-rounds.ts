/**
 * Sends reports on TLS when they are due (RFC 8460): signed, in the name of our first domain, and whatever the TLS on the way
 * to them is like, since that may be the very thing that they report.
 */
import { createMessageId } from '@keyfold/mail/mime/stored-headers';
import type { Deps } from '../../deps.ts';
import { getSigningKey } from '../../features/delivery/service.ts';
import { buildReportMail, type MailReport, sendDueReports } from '../../features/tls-policy/service.ts';
import { createSmtpTransport } from './transport.ts';

const ROUND_MS = 30 * 60_000;

export type ReportRounds = {
  /** Sends what is due now; returns how many reports are done with. */
  readonly run: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Starts the rounds; the first is half an hour away. */
export const startReportRounds = (deps: Deps): ReportRounds => {
  const abort = new AbortController();
  const transport = createSmtpTransport(
    { ...deps, config: { ...deps.config, isDaneUsed: false } },
    { find: async () => ({ policy: null, problem: null }) },
    () => undefined,
  );

  const mailReport: MailReport = async (report, to) => {
    const message = buildReportMail(report, {
      to,
      messageId: createMessageId(deps.config.hostname),
      now: deps.clock.now(),
    });
    const [outcome] = await transport.transmit(
      {
        domain: to.slice(to.lastIndexOf('@') + 1),
        // A report that cannot be delivered is nobody's to answer.
        sender: '',
        recipients: [to],
        message,
        signingKey: await getSigningKey(deps, report.submitter),
      },
      abort.signal,
    );
    return outcome?.kind === 'delivered';
  };

  let running: Promise<number> = Promise.resolve(0);
  const run = (): Promise<number> => {
    running = running.then(() => sendDueReports(deps, mailReport));
    return running;
  };
  const timer = setInterval(() => {
    run().catch(error => {
      running = Promise.resolve(0);
      deps.logger.warn({ err: error }, 'reports on TLS could not be sent');
    });
  }, ROUND_MS);
  timer.unref();
  return {
    run,
    close: async () => {
      clearInterval(timer);
      abort.abort();
      await running.catch(() => undefined);
    },
  };
};
