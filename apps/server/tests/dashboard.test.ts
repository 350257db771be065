// The documented dashboard and alerts use only metrics that a running service exports.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './harness/app.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

let app: TestApp;
let given: ReadonlySet<string>;
beforeAll(async () => {
  app = await startTestApp({ roles: ['http', 'smtp', 'worker'] });
  await app.client().sign_up.domains({});
  const reply = await fetch(`http://127.0.0.1:${app.app.metricsPort}/metrics`);
  const text = await reply.text();
  given = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
});
afterAll(() => app.close());

test('metrics are served on METRICS_HOST and nowhere else', async () => {
  const other = await startTestApp({ roles: ['http'], config: { metricsHost: '127.0.0.9' } });
  const ask = (host: string) => fetch(`http://${host}:${other.app.metricsPort}/metrics`);
  expect((await ask('127.0.0.9')).status).toBe(200);
  await expect(ask('127.0.0.1')).rejects.toThrow();
  await other.close();
});

const namesIn = (text: string): string[] => [...new Set(text.match(/\bkeyfold_[a-z0-9_]+/g))].sort();

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

test('every metric on the dashboard exists', () => {
  const file = readFileSync(path.join(ROOT, 'deploy/grafana/keyfold.json'), 'utf8');
  const { panels } = JSON.parse(file) as { panels: readonly Panel[] };
  const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(drawn.length).toBeGreaterThan(20);
  for (const expr of drawn) {
    expect(namesIn(expr), expr).not.toEqual([]);
    expect(
      namesIn(expr).filter(name => !given.has(name)),
      expr,
    ).toEqual([]);
  }
});

test('every metric named in the operations guide exists', () => {
  const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
  const [, watching = ''] = /^## Watching\n(.*?)^## /ms.exec(page) ?? [];
  expect(namesIn(watching).length).toBeGreaterThan(5);
  expect(namesIn(watching).filter(name => !given.has(name))).toEqual([]);
});
