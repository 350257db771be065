/**
 * Serves the MTA-STS policy (RFC 8461): which servers accept mail for a domain, and whether they
 * must authenticate. Serves it under any host name of this server; config/mta-sts.ts has its text.
 */
import { AppError } from '@keyfold/contract/errors';
import type { FastifyInstance } from 'fastify';
import { policyText } from '../config/mta-sts.ts';
import type { Deps } from '../context/deps.ts';

const POLICY_PATH = '/.well-known/mta-sts.txt';
/**
 * The prefixes that RFC 8461 §3.3 (MTA-STS) and OpenPGP Web Key Directory put before a domain;
 * anyone may point such a name at this server.
 */
const isPolicyHost = (hostname: string): boolean => /^(mta-sts|openpgpkey)\./i.test(hostname);

/**
 * Answers 404 to everything except the policy on hosts named mta-sts.* and openpgpkey.*: a sign-in
 * page there would teach people to type their password at a second address. Register it before all
 * routes.
 */
export function serveOnlyMailPolicy(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    if (isPolicyHost(request.hostname) && request.url.split('?', 1)[0] !== POLICY_PATH)
      throw new AppError('not_found');
  });
}

export function mountMailPolicy(app: FastifyInstance, { config }: Pick<Deps, 'config'>): void {
  const policy = policyText(config);
  app.get(POLICY_PATH, async (_request, reply) => reply.type('text/plain; charset=utf-8').send(policy));
}
