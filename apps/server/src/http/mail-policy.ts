/**
 * Serves the MTA-STS policy (RFC 8461): which servers take mail for a domain, and whether they must prove who they are. It is
 * given for whatever name this server is reached by; own-policy.ts has its text.
 */
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { policyText } from '../own-policy.ts';

export const mountMailPolicy = (app: FastifyInstance, { config }: Pick<Deps, 'config'>): void => {
  const policy = policyText(config);
  app.get('/.well-known/mta-sts.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(policy),
  );
};
