/**
 * The MTA-STS policy (RFC 8461): which servers take mail for a domain, and that they must prove who they are. It is the
 * same for every domain whose mail comes here, so it is given for whatever name this server is reached by. A server with a
 * certificate that it made itself promises nothing.
 */
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

const MAX_AGE_SECONDS = 7 * 24 * 60 * 60;

export const mountMailPolicy = (app: FastifyInstance, { config }: Pick<Deps, 'config'>): void => {
  const mode = config.tls === undefined ? 'none' : 'enforce';
  const lines = ['version: STSv1', `mode: ${mode}`, `mx: ${config.hostname}`, `max_age: ${MAX_AGE_SECONDS}`];
  app.get('/.well-known/mta-sts.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(`${lines.join('\r\n')}\r\n`),
  );
};
