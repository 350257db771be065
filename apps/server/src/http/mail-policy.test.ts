import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startTestApp } from '../../tests/harness/app.ts';
import { readConfig } from '../config/config.ts';

/** Sends a request to the host name from which other mail servers fetch a domain's policy. */
async function ask(
  httpPort: number | null,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number | undefined; body: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(
      { host: '127.0.0.1', port: httpPort, path, method, headers: { host: 'mta-sts.own.test', ...headers } },
      resolve,
    )
      .on('error', reject)
      .end();
  });
  return { status: response.statusCode, body: await text(response) };
}

const POLICY = '/.well-known/mta-sts.txt';

test('a machine without a certificate serves the configured policy with every mail server', async () => {
  const { mtaSts, mxNames } = readConfig({
    KEYFOLD_ROLES: 'http',
    KEYFOLD_MTA_STS: 'enforce',
    KEYFOLD_MX_NAMES: 'mx1.example.org,mx2.example.org',
  });
  const app = await startTestApp({ config: { mtaSts, mxNames } });
  try {
    expect((await ask(app.app.httpPort, POLICY)).body).toBe(
      [
        'version: STSv1',
        'mode: enforce',
        'mx: mx1.example.org',
        'mx: mx2.example.org',
        'max_age: 604800',
        '',
      ].join('\r\n'),
    );
  } finally {
    await app.close();
  }
});

test('an mta-sts. host serves only its policy, whichever header names the host', async () => {
  const app = await startTestApp();
  try {
    for (const headers of [
      {},
      { host: 'MTA-STS.own.test:8000' },
      { host: 'localhost', 'x-forwarded-host': 'mta-sts.own.test' },
    ]) {
      for (const path of [
        '/',
        '/app/signin',
        '/auth/domains',
        '/health',
        '/robots.txt',
        '/docs',
        '/.env',
        '/nowhere',
      ])
        expect((await ask(app.app.httpPort, path, headers)).status, path).toBe(404);
      expect((await ask(app.app.httpPort, '/auth/login', headers, 'POST')).status).toBe(404);
      expect((await ask(app.app.httpPort, `${POLICY}?x=1`, headers)).body).toContain('version: STSv1');
    }
    expect((await ask(app.app.httpPort, '/health', { host: 'mail.own.test' })).status).toBe(200);
  } finally {
    await app.close();
  }
});
