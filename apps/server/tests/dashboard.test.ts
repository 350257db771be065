// The dashboard and the alerts use only metrics that a running service exports.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startTestApp, type TestApp } from './harness/app.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

let app: TestApp;
let given: ReadonlySet<string>;
beforeAll(async () => {
  app = await startTestApp({
    roles: ['http', 'smtp', 'worker'],
    config: { https: { host: '127.0.0.1', port: 0, redirectPort: 0, acme: null } },
  });
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
  expect(namesIn(watching)).not.toEqual([]);
  expect(namesIn(watching).filter(name => !given.has(name))).toEqual([]);
});

const ALERTS = path.join(ROOT, 'deploy/prometheus/alerts.yaml');
type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly annotations?: { readonly summary?: string; readonly description?: string };
};

test('every alert uses existing metrics, and says what happened and what to do', () => {
  const { groups } = parse(readFileSync(ALERTS, 'utf8')) as { groups: readonly { rules: readonly Rule[] }[] };
  const rules = groups.flatMap(group => group.rules);
  expect(rules.length).toBeGreaterThan(10);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, expr, annotations } of rules) {
    expect(namesIn(expr), alert).not.toEqual([]);
    expect(
      namesIn(expr).filter(name => !given.has(name)),
      alert,
    ).toEqual([]);
    expect(annotations?.summary && annotations.description, alert).toBeTruthy();
  }
});

const promtool = spawnSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' });
test.skipIf(promtool.error !== undefined)('Prometheus accepts the alerts', () => {
  expect([promtool.status, promtool.stderr]).toEqual([0, '']);
});
