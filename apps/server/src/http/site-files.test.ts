// The files in which Android and iOS find the apps that may open this server's links.
import type { siteAssociationOf } from '@keyfold/contract/app-links';
import { afterAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';

const fingerprint = Array.from({ length: 32 }, (_, index) =>
  index.toString(16).padStart(2, '0').toUpperCase(),
).join(':');
const apps: TestApp[] = [];
afterAll(() => Promise.all(apps.map(app => app.close())));

async function start(config: object): Promise<TestApp> {
  const app = await startTestApp({ config });
  apps.push(app);
  return app;
}

test('the well-known files list the configured apps for Android and iOS', async () => {
  const app = await start({
    androidApps: [{ id: 'app.keyfold.mail', fingerprints: [fingerprint] }],
    iosApps: ['A1B2C3D4E5.app.keyfold.mail'],
  });
  const links = await fetch(`${app.baseUrl}/.well-known/assetlinks.json`);
  expect(links.headers.get('content-type')).toContain('application/json');
  expect(await links.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'app.keyfold.mail',
        sha256_cert_fingerprints: [fingerprint],
      },
    },
  ]);
  const association = await fetch(`${app.baseUrl}/.well-known/apple-app-site-association`);
  expect(association.headers.get('content-type')).toContain('application/json');
  const { applinks } = (await association.json()) as ReturnType<typeof siteAssociationOf>;
  expect(applinks.details.map(({ appIDs }) => appIDs)).toEqual([['A1B2C3D4E5.app.keyfold.mail']]);
  // A test of the web client (apps/web/src/native/links.test.ts) keeps the other components and the
  // code that reads them consistent.
  expect(applinks.details[0]?.components.slice(0, 2)).toEqual([
    { '/': '/app/inbox' },
    { '/': '/app/inbox/*' },
  ]);
});

test('the well-known files return 404 when no app is configured', async () => {
  const app = await start({});
  for (const name of ['assetlinks.json', 'apple-app-site-association'])
    expect((await fetch(`${app.baseUrl}/.well-known/${name}`)).status).toBe(404);
});
