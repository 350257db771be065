/**
 * Endpoints for monitoring: /health (the process is up), /ready (its dependencies are reachable),
 * and the metrics, which have their own listener on the loopback address unless METRICS_HOST names
 * another.
 */
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { readMetrics } from '../base/metrics.ts';
import type { Config } from '../config/config.ts';
import type { Deps } from '../context/deps.ts';
import { checkReadiness } from '../features/support/health/index.ts';

export function mountProbes(app: FastifyInstance, deps: Deps): void {
  app.get('/health', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ success: true, data: { status: 'up' } }),
  );
  app.get('/ready', async (_request, reply) => {
    const readiness = await checkReadiness(deps);
    const isReady = readiness.database && readiness.blobs;
    void reply.code(isReady ? 200 : 503).header('cache-control', 'no-store');
    return isReady
      ? { success: true, data: readiness }
      : {
          success: false,
          code: 'unavailable',
          message: 'Part of the service is unavailable. Try again.',
          data: readiness,
        };
  });
}

/**
 * Serves the metrics on METRICS_HOST. Rejects when the port is in use or the address does not
 * belong to this machine.
 */
export function startMetrics({
  metricsHost,
  metricsPort,
}: Pick<Config, 'metricsHost' | 'metricsPort'>): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    readMetrics().then(
      ({ text, contentType }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(metricsPort, metricsHost, () => resolve(server));
  });
}
