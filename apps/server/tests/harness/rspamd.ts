/**
 * A server on the loopback address that implements rspamd's API (`POST /checkv2`) and can be slow,
 * wrong or unavailable. Modeled on the responses of rspamd 3.4.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Scan = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type TestRspamd = {
  readonly url: string;
  readonly scans: Scan[];
  /** Its next response. `hang`: no response at all. */
  says: { status?: number; json?: unknown; text?: string } | 'hang';
  readonly close: () => Promise<void>;
};

/** Returns a response in rspamd's form. */
export const rspamdAnswer = (score: number, action = 'no action', requiredScore = 15) => ({
  is_skipped: false,
  score,
  required_score: requiredScore,
  action,
  thresholds: { reject: requiredScore, 'add header': 6, greylist: 4 },
  symbols: { R_DUMMY: { name: 'R_DUMMY', score, metric_score: score } },
  messages: {},
  'message-id': 'x@y.example',
  time_real: 0.01,
});

/** Starts the server at 127.0.0.1, on this port or a free one. */
export async function startTestRspamd(port = 0): Promise<TestRspamd> {
  const scans: Scan[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', piece => pieces.push(piece));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method, url, headers } = request;
      scans.push({ method, url, headers, body: Buffer.concat(pieces) });
      const { says } = test;
      if (says === 'hang') return;
      response.writeHead(says.status ?? 200, { 'content-type': 'application/json' });
      response.end(says.text ?? JSON.stringify(says.json));
    });
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  const test: TestRspamd = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    scans,
    says: { json: rspamdAnswer(0) },
    close: async () => {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return test;
}
