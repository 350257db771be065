/** The certificates as operators and authorities see them. */
import type { OperatedCertificate } from '@keyfold/contract';
import { gauge } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { countFailing, findChallenge, listStates } from './store.ts';

/** Certificates per page of the console. */
const PAGE_SIZE = 100;
/** Form of a challenge's token (RFC 8555 §8.3). */
const TOKEN = /^[A-Za-z0-9_-]{16,256}$/;

type State = Awaited<ReturnType<typeof listStates>>[number];

function stateOf({ failures, problem, ends_at }: State, now: Date): OperatedCertificate['state'] {
  const isValid = ends_at !== null && ends_at > now;
  if (isValid) return failures === 0 ? 'valid' : 'renewal_failing';
  return failures === 0 && (problem === null || problem === 'not_pointing') ? 'waiting' : 'failing';
}

/** Returns a page of names with the state of their certificates. */
export async function listCertificates({ db, clock }: Pick<Deps, 'clock' | 'db'>, page: number) {
  const now = clock.now();
  const rows = await listStates(db, { now, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 });
  return {
    certificates: rows.slice(0, PAGE_SIZE).map(row => ({
      name: row.name,
      state: stateOf(row, now),
      ends_at: row.ends_at?.toISOString() ?? null,
      next_try_at: row.next_try_at.toISOString(),
      problem: row.problem as OperatedCertificate['problem'],
      detail: row.problem_detail,
    })),
    has_more: rows.length > PAGE_SIZE,
  };
}

/** Returns the response to an authority's challenge; null when there is none for this token. */
export const responseToChallenge = async ({ db }: Pick<Deps, 'db'>, token: string): Promise<string | null> =>
  TOKEN.test(token) ? findChallenge(db, token) : null;

/** Publishes how many names fail, for alerts. */
export function publishCertificateGauge({ clock, db }: Pick<Deps, 'clock' | 'db'>): void {
  gauge('keyfold_certificates_failing', 'Names whose certificate could not be issued or renewed', () =>
    countFailing(db, clock.now()),
  );
}
