/**
 * Keeps the certificate of STARTTLS up to date while the server runs: another one is used for what begins from then on, and
 * sessions under way go on with theirs. Files are replaced one after the other and written piece by piece, so what is found
 * counts when the next look finds the same. While no pair can be used the one before stays.
 */
import { X509Certificate } from 'node:crypto';
import { gauge } from '../../base/metrics.ts';
import { type TlsPair, TlsPairError } from '../../config/tls.ts';
import type { Deps } from '../../context/deps.ts';
import { loadCertificate } from './certificate.ts';
import { CERTIFICATE_ENDS_SOON_MS, CERTIFICATE_REMIND_MS } from './limits.ts';

const SECOND_MS = 1000;

export type CertificateWatch = { readonly stop: () => void };

const endOf = ({ cert }: TlsPair): Date => new Date(new X509Certificate(cert).validTo);

/** What is wrong, in words without any of the files. */
function problemOf(error: unknown): string {
  if (error instanceof TlsPairError) return error.message;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}

/** Looks every so often, and hands another pair than `first` to `use`; tells Prometheus when the one in use expires. */
export function watchCertificate(
  deps: Pick<Deps, 'clock' | 'config' | 'logger'>,
  first: TlsPair,
  lookMs: number,
  use: (pair: TlsPair) => void,
): CertificateWatch {
  const { clock, config, logger } = deps;
  let used = { pair: first, end: endOf(first) };
  /** What the look before found: a pair's text, or a problem's. */
  let before = '';
  let toldProblem = '';
  let remindedMs = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  const remind = (): void => {
    const nowMs = clock.now().getTime();
    const leftMs = used.end.getTime() - nowMs;
    if (leftMs > CERTIFICATE_ENDS_SOON_MS || nowMs - remindedMs < CERTIFICATE_REMIND_MS) return;
    remindedMs = nowMs;
    logger.warn(
      { ends_at: used.end.toISOString() },
      leftMs > 0 ? 'the certificate of STARTTLS expires soon' : 'the certificate of STARTTLS has expired',
    );
  };

  const take = (pair: TlsPair): void => {
    use(pair);
    used = { pair, end: endOf(pair) };
    remindedMs = Number.NEGATIVE_INFINITY;
    logger.info({ ends_at: used.end.toISOString() }, 'another certificate is used for STARTTLS');
  };

  const look = async (): Promise<void> => {
    const found = await loadCertificate(config, clock).catch((error: unknown) => ({ error }));
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
        'another certificate cannot be had: STARTTLS goes on with the one before',
      );
    }
  };

  gauge(
    'keyfold_smtp_certificate_expires_timestamp_seconds',
    'When the certificate that STARTTLS shows expires, as seconds since 1970',
    () => used.end.getTime() / SECOND_MS,
  );
  remind();
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => logger.error({ err: error }, 'the certificate could not be looked at'))
      .finally(() => {
        isLooking = false;
        remind();
      });
  }, lookMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
