import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startTestApp } from '../../tests/harness/app.ts';
import { readConfig } from '../config.ts';

/** What is served under the name by which other mail servers ask for the policy of a domain. */
const fetchPolicy = async (httpPort: number | null): Promise<string> => {
  const response = await new Promise<Parameters<typeof text>[0]>((resolve, reject) => {
    get(
      {
        host: '127.0.0.1',
        port: httpPort,
        path: '/.well-known/mta-sts.txt',
        headers: { host: 'mta-sts.own.test' },
      },
      resolve,
    ).on('error', reject);
  });
  return text(response);
};

test('a machine without a certificate serves the policy that it is told, with every mail server', async () => {
  const { mtaSts, mxNames } = readConfig({
    KEYFOLD_ROLES: 'http',
    KEYFOLD_MTA_STS: 'enforce',
    KEYFOLD_MX_NAMES: 'mx1.example.org,mx2.example.org',
  });
  const app = await startTestApp({ config: { mtaSts, mxNames } });
  try {
    expect(await fetchPolicy(app.app.httpPort)).toBe(
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
