/**
 * Keeps the default certificate of a listener up to date while the server runs: new sessions use a
 * changed certificate, and running sessions keep theirs. Files are replaced one after the other and
 * written in pieces, so a change counts only when the next check finds the same. While no usable
 * pair exists, the previous one stays in use.
 */
import { X509Certificate } from 'node:crypto';
import { gauge } from '../../../base/metrics.ts';
import { type TlsPair, TlsPairError } from '../../../config/tls.ts';
import { type CertificateDeps, loadCertificate } from './load.ts';

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
/**
 * Remaining validity below which the log warns once a day that the certificate in use is about to
 * expire.
 */
const ENDS_SOON_MS = 7 * DAY_MS;
const REMIND_MS = DAY_MS;

/** A listener that presents a certificate. */
export type Listener = {
  readonly label: 'STARTTLS' | 'HTTPS';
  /** Name that its clients expect. */
  readonly hostname: string;
  /**
   * Interval of the check for another certificate; it is used once two consecutive checks have
   * found it.
   */
  readonly lookMs: number;
};

const METRICS = { STARTTLS: 'smtp', HTTPS: 'https' } as const;

export type CertificateWatch = { readonly stop: () => void };

const endOf = ({ cert }: TlsPair): Date => new Date(new X509Certificate(cert).validTo);

/** Describes a problem without any contents of the files. */
function problemOf(error: unknown): string {
  if (error instanceof TlsPairError) return error.message;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}

/**
 * Checks at an interval and passes a pair that differs from `first` to `use`; reports the expiry of
 * the one in use to Prometheus.
 */
export function watchCertificate(
  deps: CertificateDeps,
  { label, hostname, lookMs }: Listener,
  first: TlsPair,
  use: (pair: TlsPair) => void,
): CertificateWatch {
  const { clock, logger } = deps;
  let used = { pair: first, end: endOf(first) };
  /** The result of the previous check: the text of a pair, or of a problem. */
  let before = '';
  let toldProblem = '';
  let remindedMs = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  const remind = (): void => {
    const nowMs = clock.now().getTime();
    const leftMs = used.end.getTime() - nowMs;
    if (leftMs > ENDS_SOON_MS || nowMs - remindedMs < REMIND_MS) return;
    remindedMs = nowMs;
    logger.warn(
      { ends_at: used.end.toISOString() },
      leftMs > 0 ? `${label} certificate expires soon` : `${label} certificate expired`,
    );
  };

  const take = (pair: TlsPair): void => {
    use(pair);
    used = { pair, end: endOf(pair) };
    remindedMs = Number.NEGATIVE_INFINITY;
    logger.info({ ends_at: used.end.toISOString() }, `${label} certificate replaced`);
  };

  const look = async (): Promise<void> => {
    const found = await loadCertificate(deps, hostname).catch((error: unknown) => ({ error }));
    const text = 'error' in found ? problemOf(found.error) : found.key + found.cert;
    const isSettled = text === before;
    before = text;
    if (!isSettled) return;
    if (!('error' in found)) {
      toldProblem = '';
      if (text !== used.pair.key + used.pair.cert) take(found);
    } else if (text !== toldProblem) {
      toldProblem = text;
      logger.warn(
        { err: found.error, problem: text },
        `new ${label} certificate unusable, keeping the previous one`,
      );
    }
  };

  gauge(
    `keyfold_${METRICS[label]}_certificate_expires_timestamp_seconds`,
    `Expiry of the ${label} certificate, as a Unix timestamp`,
    () => used.end.getTime() / SECOND_MS,
  );
  remind();
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => logger.error({ err: error }, `could not check the ${label} certificate`))
      .finally(() => {
        isLooking = false;
        remind();
      });
  }, lookMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
