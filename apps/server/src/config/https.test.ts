import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const base = { KEYFOLD_DOMAINS: 'example.org', KEYFOLD_TLS: 'acme' } as const;
function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('without the setting, a proxy provides HTTPS', () => {
  const config = readConfig({ KEYFOLD_DOMAINS: 'example.org' });
  expect(config.https).toBeNull();
  expect(config.publicUrl).toBe('http://localhost:8000');
});

test('with ACME, the URL, the contact, and MTA-STS follow from the domain', () => {
  const { https, publicUrl, mtaSts } = readConfig(base);
  expect(https).toEqual({
    host: undefined,
    port: 443,
    redirectPort: 80,
    acme: {
      directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory',
      contact: 'postmaster@example.org',
      binding: undefined,
    },
  });
  expect([publicUrl, mtaSts]).toEqual(['https://mail.example.org', 'testing']);
  expect(readConfig({ ...base, HTTPS_PORT: '8443' }).publicUrl).toBe('https://mail.example.org:8443');
  expect(readConfig({ ...base, KEYFOLD_MTA_STS: 'enforce' }).mtaSts).toBe('enforce');
});

test.each([
  [{ ...base, KEYFOLD_TLS: 'on' }, 'KEYFOLD_TLS: must be off, acme or files'],
  [{ ...base, KEYFOLD_TLS: 'files' }, 'KEYFOLD_TLS: files requires TLS_CERT_FILE'],
  [
    { ...base, KEYFOLD_URL: 'http://mail.example.org' },
    'KEYFOLD_URL: must begin with https:// when KEYFOLD_TLS is acme or files',
  ],
  [{ ...base, KEYFOLD_ACME_KEY_ID: 'kid' }, 'KEYFOLD_ACME_KEY_ID: requires KEYFOLD_ACME_HMAC_KEY'],
  [{ ...base, KEYFOLD_ACME_CONTACT: 'nobody' }, 'KEYFOLD_ACME_CONTACT: must be an e-mail address'],
  [
    { ...base, KEYFOLD_ACME_DIRECTORY: 'http://ca.example.org/dir' },
    'KEYFOLD_ACME_DIRECTORY: must be an https:// URL, or http:// on this machine',
  ],
  [{ ...base, HTTP_PORT: '443' }, 'HTTP_PORT: must differ from PORT, SMTP_PORT, METRICS_PORT and HTTPS_PORT'],
])('a contradiction is refused: %o', (env, message) => {
  expect(refusal(env)).toBe(message);
});
