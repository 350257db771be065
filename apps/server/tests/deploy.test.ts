// Checks deploy/: its files set only settings that the server knows, every role runs somewhere, and
// nothing has more rights than it needs.
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { makeCertificate } from '@keyfold/testing/certificate';
import { ALLOCATOR } from '@keyfold/testing/cluster/allocator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DISK_RESERVE_BYTES, PST_FILE_MAX_BYTES } from '../src/base/import-limits.ts';
import { type Config, readConfig } from '../src/config/config.ts';
import { isBackupCommand } from '../src/features/operator/backup/commands.ts';
import { startMetrics } from '../src/http/probes.ts';
import { type KubernetesObject, renderChart } from './chart.ts';
import { MEMORY_NEEDS } from './memory-needs.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const DEPLOY = path.resolve(import.meta.dirname, '../../../deploy');
const ROLES = ['http', 'smtp', 'worker'];
const hasIpv6 = Object.values(os.networkInterfaces()).some(list =>
  list?.some(({ address }) => address === '::1'),
);
const SECRETS = { DATABASE_URL: 'postgres://k:p@db/keyfold', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 's' };
const textOf = (...names: string[]): string => readFileSync(path.join(DEPLOY, ...names), 'utf8');
/** Settings that docs/configuration.md lists, except those for files that do not exist here. */
const known = new Set(
  [
    ...readFileSync(path.join(DEPLOY, '../docs/configuration.md'), 'utf8').matchAll(/`([A-Z][A-Z0-9_]+)`/g),
  ].map(([, name]) => name),
);
/** Replaces the certificate that the files of deploy/ refer to. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'kf-deploy-'));
const FILES = {
  TLS_CERT_FILE: path.join(folder, 'tls.crt'),
  TLS_KEY_FILE: path.join(folder, 'tls.key'),
} as const;
beforeAll(async () => {
  const { cert, key } = await makeCertificate(['mail.example.org']);
  writeFileSync(FILES.TLS_CERT_FILE, cert);
  writeFileSync(FILES.TLS_KEY_FILE, key);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns the server's configuration from these settings. Each must be a setting that the server
 * knows or that the test nodes use.
 */
function configOf(given: Readonly<Record<string, string>>): Config {
  const env = Object.fromEntries(Object.entries(given).filter(([name, value]) => ALLOCATOR[name] !== value));
  for (const name of Object.keys(env)) expect(known, name).toContain(name);
  return readConfig({ ...env, ...(env.TLS_CERT_FILE && env.TLS_KEY_FILE ? FILES : {}) });
}

/** Bytes of a Kubernetes quantity; NaN if it is invalid. */
function bytesOf(quantity = ''): number {
  const [, count, unit] = /^(\d+)([MG])i$/.exec(quantity) ?? [];
  return Number(count) * 1024 ** (unit === 'G' ? 3 : 2);
}

/**
 * Images that deploy/ may use besides our own: each pinned by digest, from a registry that still
 * has it.
 */
const IMAGES = [
  'chrislusf/seaweedfs:4.48@sha256:4e61d15fd35994cb1e43e1e553dff106794841fd9a99ade2fc8c8bfce4d7872d',
  'node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1',
  'postgres:18.6-trixie@sha256:86c951e05bf56c93d95d397747fb8820ac76cc3bedb78f43abd83eedbe3666ae',
];
const OWN_IMAGE = /^keyfold(:[\w.-]+)?$/;
/** Images that were deleted from their registry. */
const DELETED = /\b(minio\/|bitnami\/|quay\.io\/minio)/;

/** Returns the problem with an image name, or null. */
function problemOfImage(image: string): string | null {
  if (OWN_IMAGE.test(image)) return null;
  if (DELETED.test(image)) return `${image}: deleted from its registry`;
  if (!/@sha256:[0-9a-f]{64}$/.test(image)) return `${image}: has no digest`;
  return IMAGES.includes(image) ? null : `${image}: not in the list`;
}

/** Returns the images that a file refers to, in any of the forms used in deploy/. */
const imagesIn = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:-\s+)?(?:image:|FROM)[ \t]+["']?([^\s"'#]+)/gm)].map(([, image = '']) => image);

test('every image is pinned by a known digest', () => {
  const files = readdirSync(DEPLOY, { recursive: true, withFileTypes: true }).filter(
    entry => entry.isFile() && /^Dockerfile$|\.ya?ml$/.test(entry.name),
  );
  const named = files.flatMap(({ parentPath, name }) =>
    imagesIn(readFileSync(path.join(parentPath, name), 'utf8')),
  );
  // The chart's own objects are checked in rendered form.
  const rendered = renderChart(path.join(DEPLOY, 'helm/keyfold'), 'mail').flatMap(object =>
    [...JSON.stringify(object).matchAll(/"image":"([^"]+)"/g)].map(([, image = '']) => image),
  );
  const images = [...named.filter(image => !image.startsWith('{{')), ...rendered];
  expect(images.map(problemOfImage).filter(problem => problem !== null)).toEqual([]);
  expect(new Set(images.filter(image => !OWN_IMAGE.test(image)))).toEqual(new Set(IMAGES));
  expect(images).toContain('keyfold:0.1.0');
  expect(
    ['minio/minio', 'postgres:18', `alpine@sha256:${'0'.repeat(64)}`, 'keyfold/other'].map(problemOfImage),
  ).toEqual([
    'minio/minio: deleted from its registry',
    'postgres:18: has no digest',
    `alpine@sha256:${'0'.repeat(64)}: not in the list`,
    'keyfold/other: has no digest',
  ]);
});

describe('the compose file', () => {
  type Service = {
    readonly environment?: Readonly<Record<string, string>>;
    readonly image?: string;
    readonly profiles?: readonly string[];
    readonly build?: { readonly dockerfile: string };
    readonly depends_on?: unknown;
    readonly [name: string]: unknown;
  };
  const linesOf = (text: string): Record<string, string> =>
    Object.fromEntries(
      text
        .split('\n')
        .filter(line => /^\w+=/.test(line))
        .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1) || 'x1']),
    );
  const example = linesOf(textOf('compose.env.example'));
  /** The lines that enable the object store, with their comment characters removed. */
  const withStore = linesOf(textOf('compose.env.example').replace(/^# (?=[A-Z0-9_]+=)/gm, ''));
  const { HTTPS_AT, HTTP_AT, ...byProxy } = example;
  /** With a proxy that serves HTTPS, and a certificate for STARTTLS. */
  const given = {
    ...byProxy,
    KEYFOLD_TLS: 'off',
    KEYFOLD_TRUSTED_PROXIES: '172.18.0.0/16',
    SMTP_RELAY: 'smtp://relay.example.org',
  };
  const unnamed = new Set<string>();
  const fill = (values: Readonly<Record<string, string>>): string =>
    textOf('compose.yaml').replace(
      /\$\{(\w+)(:\?|:-([^}]*))?\}/g,
      (_, name: string, kind = '', fallback = '') => {
        const value = values[name];
        if (value === undefined && !kind.startsWith(':-')) unnamed.add(name);
        return (value ?? fallback) || "''";
      },
    );
  const filled = fill(given);
  type Compose = {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, unknown>>;
  };
  const { services, volumes } = parse(filled, { merge: true }) as Compose;
  const { keyfold } = services;

  test('has an example for every required setting and contains no secret', () => {
    expect([...unnamed]).toEqual([]);
    expect(textOf('compose.env.example')).toMatch(/^POSTGRES_PASSWORD=\n/m);
    expect(textOf('compose.env.example')).toMatch(/^# S3_SECRET_KEY=\n/m);
  });

  test('runs one server and PostgreSQL by default, without privileges', () => {
    const always = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
    expect(always.map(([name]) => name)).toEqual(['keyfold', 'postgres']);
    const config = configOf(keyfold?.environment ?? {});
    expect(config).toMatchObject({ roles: ROLES, s3: undefined, httpHost: '0.0.0.0' });
    expect(new URL(config.databaseUrl ?? '').hostname).toBe('postgres');
    expect(keyfold).toMatchObject({
      cap_drop: ['ALL'],
      read_only: true,
      security_opt: ['no-new-privileges:true'],
      ulimits: { core: 0 },
      env_file: [{ path: 'settings.env', required: false }],
      volumes: ['data:/var/lib/keyfold/data', './tls:/etc/keyfold/tls:ro'],
    });
    // No memory limit: the service may use all memory of the machine, and a limit would have to
    // match the chart's.
    for (const bound of ['mem_limit', 'deploy']) expect(keyfold).not.toHaveProperty(bound);
    // HTTP is reachable only by the proxy on the same machine, SMTP by everyone.
    const local = ['127.0.0.1:8000:8000', '127.0.0.1:8443:8443', '127.0.0.1:8080:8080'];
    expect(keyfold?.ports).toEqual(['25:2525', ...local]);
    expect(Object.keys(volumes)).toEqual(['data', 'postgres', 'objects']);
  });

  test('serves HTTPS itself as the example says', () => {
    const own = {
      ...example,
      KEYFOLD_TRUSTED_PROXIES: '',
      SMTP_RELAY: '',
      TLS_CERT_FILE: '',
      TLS_KEY_FILE: '',
    };
    const compose = parse(fill(own), { merge: true }) as Compose;
    const config = configOf(compose.services.keyfold?.environment ?? {});
    expect(config.https).toMatchObject({ port: 8443, redirectPort: 8080, acme: { binding: undefined } });
    expect(config.publicUrl).toBe('https://mail.example.org');
    expect(compose.services.keyfold?.ports).toContain(`${HTTPS_AT}:8443`);
    expect([HTTPS_AT, HTTP_AT]).toEqual(['443', '80']);
  });

  test('adds a bucket with the store profile', () => {
    expect(withStore.COMPOSE_PROFILES).toBe('store');
    const { services: all } = parse(fill({ ...withStore, ...given }), { merge: true }) as Compose;
    const config = configOf(all.keyfold?.environment ?? {});
    expect(config.s3).toMatchObject({ endpoint: 'http://store:8333', bucket: 'keyfold' });
    expect(all.store).toMatchObject({
      profiles: ['store'],
      environment: {
        AWS_ACCESS_KEY_ID: config.s3?.accessKey,
        AWS_SECRET_ACCESS_KEY: config.s3?.secretKey,
      },
    });
    expect(all.bucket).toMatchObject({ profiles: ['store'], restart: 'no', image: all.store?.image });
    expect(JSON.stringify(all.bucket)).toContain(`s3.bucket.create -name ${config.s3?.bucket}'`);
    expect(all.keyfold?.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      bucket: { condition: 'service_completed_successfully', required: false },
    });
  });

  const client = spawnSync('docker', ['compose', 'version'], { encoding: 'utf8' });
  test.skipIf(client.status !== 0)('is accepted by docker compose', () => {
    const place = path.join(folder, 'deploy');
    cpSync(DEPLOY, place, { recursive: true });
    for (const values of [given, { ...withStore, ...given }]) {
      const env = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(path.join(place, '.env'), env.join(''));
      const { status, stderr } = spawnSync(
        'docker',
        ['compose', '-f', path.join(place, 'compose.yaml'), 'config', '--quiet'],
        { encoding: 'utf8', cwd: place },
      );
      expect([status, stderr]).toEqual([0, '']);
    }
  });

  test('publishes an MTA-STS policy only when configured', () => {
    const promiseOf = (changed: Readonly<Record<string, string>>) => {
      const { mtaSts, mxNames, tlsFiles } = configOf({ ...keyfold?.environment, ...changed });
      return [mtaSts, mxNames, tlsFiles !== undefined];
    };
    const names = ['mail.example.org'];
    expect(promiseOf({})).toEqual(['none', names, true]);
    expect(filled).toContain('KEYFOLD_MTA_STS: none');
    expect(promiseOf({ KEYFOLD_MTA_STS: 'enforce' })).toEqual(['enforce', names, true]);
  });

  test('builds an image that runs without root', () => {
    expect(keyfold?.build?.dockerfile).toBe('deploy/Dockerfile');
    const docker = textOf('Dockerfile');
    expect(docker).toMatch(/^USER 10001$/m);
    expect(docker).toContain('apps/server/src/main.ts');
    // The operator who publishes a port of the container decides who can reach it.
    expect(docker).toMatch(/^ENV .*KEYFOLD_HOST=0\.0\.0\.0$/m);
    // The image contains only files that git would track, and no secrets from the same folder.
    const left = textOf('Dockerfile.dockerignore').split('\n');
    expect(left).toEqual(expect.arrayContaining(['deploy/.env', 'deploy/settings.env', 'deploy/tls']));
    for (const [name, value] of Object.entries(ALLOCATOR))
      expect(docker).toMatch(new RegExp(`^ENV (.* )?${name}=${value}( |$)`, 'm'));
  });
});

describe('the chart', () => {
  const chart = path.join(DEPLOY, 'helm/keyfold');
  const objects = renderChart(chart, 'mail');

  test('trusts no proxy network by default', () => {
    const settings = objects.find(({ metadata }) => metadata.name === 'mail-settings');
    expect(settings).toMatchObject({ data: { KEYFOLD_TRUSTED_PROXIES: '' } });
  });
  const one = (kind: string, name: string, from = objects): KubernetesObject => {
    const found = from.find(object => object.kind === kind && object.metadata.name === name);
    if (found === undefined) throw new Error(`There is no ${kind} ${name}`);
    return found;
  };
  type Pod = {
    readonly securityContext: unknown;
    readonly automountServiceAccountToken: boolean;
    readonly containers: [
      {
        readonly env: { readonly name: string; readonly value: string }[];
        readonly ports?: { readonly name: string; readonly containerPort: number }[];
        readonly securityContext: unknown;
        readonly volumeMounts: { readonly name: string; readonly mountPath: string }[];
        readonly [name: string]: unknown;
      },
    ];
    readonly volumes: { readonly name: string }[];
  };
  const podOf = (role: string): Pod =>
    (one('Deployment', `mail-${role}`).spec as { template: { spec: Pod } }).template.spec;
  const settings = one('ConfigMap', 'mail-settings').data as Record<string, string>;

  test('runs each role with valid settings', () => {
    for (const role of ROLES) {
      const [container] = podOf(role).containers;
      const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
      const config = configOf({ ...settings, ...SECRETS, ...env });
      expect(config.roles).toEqual([role]);
      expect(config.s3?.bucket).toBe('keyfold');
      expect(config.httpHost).toBe('0.0.0.0');
      const ports = { http: config.httpPort, smtp: config.smtpPort } as Readonly<Record<string, number>>;
      for (const { name, containerPort } of container.ports ?? []) expect(containerPort).toBe(ports[name]);
      expect(container.envFrom).toEqual([
        { configMapRef: { name: 'mail-settings' } },
        { secretRef: { name: 'keyfold-environment' } },
      ]);
    }
  });

  test('grants no privileges and mounts the same key and volumes in every role', () => {
    for (const role of ROLES) {
      const { containers, volumes, securityContext, automountServiceAccountToken } = podOf(role);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
      expect(automountServiceAccountToken).toBe(false);
      const [container] = containers;
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(
        volumes.map(({ name }) => name).sort(),
      );
      expect(container.volumeMounts).toContainEqual({
        name: 'master-key',
        mountPath: '/var/lib/keyfold/data/keys',
        readOnly: true,
      });
      expect(container.livenessProbe).toBeDefined();
    }
  });

  test('gives each role at least the memory of its budgets, and more than the alert threshold', () => {
    const alert = /keyfold_process_resident_memory_bytes > ([\d.e]+)/.exec(textOf('prometheus/alerts.yaml'));
    for (const role of ROLES) {
      const { limits, requests } = podOf(role).containers[0].resources as Record<string, { memory: string }>;
      const bytes = bytesOf(limits?.memory);
      expect(bytes, role).toBeGreaterThanOrEqual(MEMORY_NEEDS[role] ?? Number.POSITIVE_INFINITY);
      expect(bytes, role).toBeGreaterThan(Number(alert?.[1]));
      expect(bytesOf(requests?.memory), role).toBeLessThan(bytes);
    }
  });

  test('selects its own pods, uses no session affinity, and preserves the addresses of mail servers', () => {
    for (const role of ROLES) {
      const { selector, template, strategy } = one('Deployment', `mail-${role}`).spec as {
        selector: { matchLabels: Record<string, string> };
        template: { metadata: { labels: Record<string, string> } };
        strategy: unknown;
      };
      expect(template.metadata.labels).toMatchObject(selector.matchLabels);
      expect(strategy).toEqual({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
      expect((one('PodDisruptionBudget', `mail-${role}`).spec as { selector: unknown }).selector).toEqual(
        selector,
      );
    }
    for (const role of ['http', 'smtp'])
      expect(one('Service', `mail-${role}`).spec).toMatchObject({
        selector: { 'app.kubernetes.io/component': role },
        ports: [{ targetPort: role }],
      });
    expect(one('Service', 'mail-smtp').spec).toMatchObject({ externalTrafficPolicy: 'Local' });
    expect(JSON.stringify(objects)).not.toMatch(/affinity"|sessionAffinity|sticky/i);
  });

  test('announces the policy in every role, mounts the certificate for SMTP, and serves the policy host', () => {
    for (const role of ROLES) {
      const env = Object.fromEntries(podOf(role).containers[0].env.map(({ name, value }) => [name, value]));
      const { mtaSts, mxNames, tlsFiles, domains } = configOf({ ...settings, ...SECRETS, ...env });
      expect([mtaSts, mxNames, tlsFiles !== undefined]).toEqual([
        'testing',
        ['mail.example.org'],
        role === 'smtp',
      ]);
      const hosts = ['mail.example.org', ...domains.map(domain => `mta-sts.${domain}`)];
      expect(one('Ingress', 'mail').spec).toMatchObject({
        tls: [{ hosts }],
        rules: [
          { host: hosts[0], http: { paths: [{ path: '/' }] } },
          {
            host: hosts[1],
            http: {
              paths: [
                {
                  path: '/.well-known/mta-sts.txt',
                  pathType: 'Exact',
                  backend: { service: { name: 'mail-http', port: { name: 'http' } } },
                },
              ],
            },
          },
        ],
      });
    }
  });

  test.each(['127.0.0.1', '0.0.0.0', '127.0.0.2', ...(hasIpv6 ? ['::1'] : [])])(
    'probes a worker that serves its metrics at %s',
    async metricsHost => {
      const [worker] = podOf('worker').containers;
      const metrics = await startMetrics({ metricsHost, metricsPort: 0 });
      const { port } = metrics.address() as AddressInfo;
      const runProbe = (name: 'livenessProbe' | 'startupProbe') => {
        const [, ...words] = (worker[name] as { exec: { command: string[] } }).exec.command;
        const env = { METRICS_HOST: metricsHost, METRICS_PORT: String(port) };
        return promisify(execFile)(process.execPath, words, { env }).then(
          () => 'well',
          () => 'not well',
        );
      };
      expect([await runProbe('startupProbe'), await runProbe('livenessProbe')]).toEqual(['well', 'well']);
      await new Promise(done => metrics.close(done));
      expect(await runProbe('livenessProbe')).toBe('not well');
    },
  );

  test('omits what is switched off', () => {
    const without = renderChart(chart, 'mail', { ingress: { enabled: false } });
    expect(without.map(({ kind }) => kind)).not.toContain('Ingress');
    const alone = renderChart(chart, 'mail', { ingress: { mtaStsHosts: [] } });
    expect((one('Ingress', 'mail', alone).spec as { rules: unknown[] }).rules).toHaveLength(1);
  });

  test('shares only the key between pods: every disk belongs to one pod', () => {
    expect(objects.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
    for (const role of ROLES)
      for (const volume of podOf(role).volumes)
        expect(Object.keys(volume).filter(name => name !== 'name')).toEqual([
          ['data', 'tmp'].includes(volume.name) ? 'emptyDir' : 'secret',
        ]);
    const [worker] = podOf('worker').containers;
    expect(worker.resources).toMatchObject({ requests: { 'ephemeral-storage': '23Gi' } });
    expect(23 * 1024 ** 3).toBeGreaterThan(PST_FILE_MAX_BYTES + DISK_RESERVE_BYTES);
  });
});

describe('the systemd units', () => {
  const folder = path.join(DEPLOY, 'systemd');
  const unitOf = (name: string): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (const line of textOf('systemd', name).split('\n')) {
      const [, key, value] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
      if (key !== undefined) found.set(key, [...(found.get(key) ?? []), value ?? '']);
      else expect(line, name).toMatch(/^(#.*|\[(Unit|Service|Install|Timer)\]|)$/);
    }
    return found;
  };

  test('are the documented ones', () => {
    expect(readdirSync(folder).sort()).toEqual([
      'keyfold-backup-failed.service',
      'keyfold-backup.service',
      'keyfold-backup.timer',
      'keyfold-build.service',
      'keyfold.service',
      'keyfold@.service',
    ]);
  });

  test('start existing programs with valid settings', () => {
    for (const name of ['keyfold.service', 'keyfold@.service']) {
      const unit = unitOf(name);
      expect(unit.get('ExecStart')?.[0]).toMatch(/ apps\/server\/src\/main\.ts$/);
      const env = Object.fromEntries(
        (unit.get('Environment') ?? []).map(
          line => line.replace('%i', 'worker').split('=') as [string, string],
        ),
      );
      expect(configOf(env)).toMatchObject({
        dataDir: '/var/lib/keyfold',
        roles: name === 'keyfold.service' ? ROLES : ['worker'],
        // A single machine has its proxy beside it; with several machines, the load balancer
        // connects from elsewhere.
        httpHost: name === 'keyfold.service' ? '127.0.0.1' : '0.0.0.0',
      });
      expect(unit.get('StateDirectory')).toEqual(['keyfold']);
      expect(env).toMatchObject(ALLOCATOR);
    }
  });

  test('install and build before each start, so that a pull and a restart use one build', () => {
    for (const name of ['keyfold.service', 'keyfold@.service']) {
      const unit = unitOf(name);
      expect(unit.get('Requires')).toEqual(['keyfold-build.service']);
      expect(unit.get('After')?.[0]?.split(' ')).toContain('keyfold-build.service');
    }
    const build = unitOf('keyfold-build.service');
    expect(build.get('ExecStart')).toEqual(['/usr/bin/env node tools/ensure.mjs --build']);
    // A unit that stays active would not run again at the next restart.
    expect([build.get('Type'), build.get('RemainAfterExit')]).toEqual([['oneshot'], undefined]);
    expect(build.get('WorkingDirectory')).toEqual(unitOf('keyfold.service').get('WorkingDirectory'));
    const [, upgrades = ''] =
      /^## Upgrades\n(.*?)^## /ms.exec(readFileSync(path.join(DEPLOY, '../docs/operations.md'), 'utf8')) ??
      [];
    for (const words of ['git pull', 'systemctl restart keyfold', 'keyfold-build.service'])
      expect(upgrades).toContain(words);
  });

  test('back up, keep the last backups, and report a failure', () => {
    const backup = unitOf('keyfold-backup.service');
    expect(backup.get('OnFailure')).toEqual(['keyfold-backup-failed.service']);
    const [, words = ''] = /admin\.ts (backup .*)'$/.exec(backup.get('ExecStart')?.[0] ?? '') ?? [];
    expect(isBackupCommand(words.replace(/"[^"]*"/, '/d').split(' '))).toBe(true);
    expect(words).toMatch(/ --keep=14$/);
    expect(unitOf('keyfold-backup-failed.service').get('SyslogLevel')).toEqual(['err']);
  });

  const verify = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  test.skipIf(verify.status !== 0)('are accepted by systemd', () => {
    const place = path.join(os.tmpdir(), `kf-units-${process.pid}`);
    cpSync(folder, place, { recursive: true });
    for (const name of readdirSync(place)) {
      const file = path.join(place, name);
      // The checkout has another path here.
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replaceAll('/opt/keyfold/node_modules/.bin/node', process.execPath),
      );
    }
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...readdirSync(place).map(name => path.join(place, name.replace('@', '@http')))],
      { encoding: 'utf8', cwd: place },
    );
    rmSync(place, { recursive: true });
    expect([status, `${stdout}${stderr}`]).toEqual([0, '']);
  });

  test('prevent core dumps and drop privileges', () => {
    for (const name of ['keyfold.service', 'keyfold@.service', 'keyfold-backup.service']) {
      const unit = unitOf(name);
      const expected = {
        LimitCORE: '0',
        NoNewPrivileges: 'yes',
        ProtectSystem: 'strict',
        ProtectHome: 'yes',
        PrivateTmp: 'yes',
        PrivateDevices: 'yes',
        SystemCallFilter: '@system-service',
        UMask: '0077',
        User: 'keyfold',
      };
      // No memory limit, as in the compose file.
      expect(unit.has('MemoryMax') || unit.has('MemoryHigh')).toBe(false);
      for (const [key, value] of Object.entries(expected))
        expect([name, key, unit.get(key)]).toEqual([name, key, [value]]);
      expect(['', 'CAP_NET_BIND_SERVICE']).toContain(unit.get('CapabilityBoundingSet')?.[0]);
    }
    // Only the build writes to the checkout, and it writes nowhere else.
    expect(Object.fromEntries(unitOf('keyfold-build.service'))).toMatchObject({
      NoNewPrivileges: ['yes'],
      ProtectSystem: ['strict'],
      ProtectHome: ['yes'],
      ReadWritePaths: ['/opt/keyfold'],
    });
  });
});

describe('the operator command', () => {
  /**
   * Copies deploy/bin/keyfold to a separate checkout whose programs print how they were started.
   */
  const checkout = (hasService: boolean): { readonly bin: string; readonly root: string } => {
    const root = mkdtempSync(path.join(folder, 'checkout-'));
    const program = (at: string, text: string): void => {
      mkdirSync(path.dirname(path.join(root, at)), { recursive: true });
      writeFileSync(path.join(root, at), `#!/bin/sh\n${text}\n`);
      chmodSync(path.join(root, at), 0o755);
    };
    writeFileSync(path.join(root, 'environment'), '');
    const place = hasService ? path.join(root, 'environment') : path.join(root, 'absent');
    mkdirSync(path.join(root, 'deploy/bin'), { recursive: true });
    const bin = path.join(root, 'deploy/bin/keyfold');
    writeFileSync(bin, textOf('bin/keyfold').replaceAll('/etc/keyfold/environment', place));
    chmodSync(bin, 0o755);
    program('node_modules/.bin/node', 'echo "node $*"');
    program('path/systemd-run', 'for word; do echo "$word"; done');
    return { bin, root };
  };
  const run = ({ bin, root }: ReturnType<typeof checkout>, ...words: string[]): string[] =>
    spawnSync(bin, words, {
      encoding: 'utf8',
      env: { PATH: `${path.join(root, 'path')}:${process.env.PATH}` },
    })
      .stdout.trim()
      .split('\n');

  test.runIf(process.getuid?.() === 0)('runs with the account and the settings of the unit', () => {
    const place = checkout(true);
    const words = run(place, 'grant', 'super', 'a b@example.org');
    const unit = textOf('systemd/keyfold.service');
    for (const name of ['User', 'Group', 'UMask', 'LimitCORE', 'NoNewPrivileges']) {
      const value = new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
      expect(words).toContain(`--property=${name}=${value}`);
    }
    expect(words).toContain(`--property=EnvironmentFile=${path.join(place.root, 'environment')}`);
    expect(words).toContain(`--property=Environment=${/^Environment=(KEYFOLD_DATA=.*)$/m.exec(unit)?.[1]}`);
    expect(unit).toContain('EnvironmentFile=/etc/keyfold/environment');
    expect(words.slice(words.indexOf('--') + 1)).toEqual([
      path.join(place.root, 'node_modules/.bin/node'),
      '--title=keyfold',
      '--disable-warning=ExperimentalWarning',
      path.join(place.root, 'apps/server/src/admin.ts'),
      'grant',
      'super',
      'a b@example.org',
    ]);
  });

  test('names itself in its help, or npm when called through it', () => {
    const help = (...options: string[]): string =>
      spawnSync(process.execPath, [...options, path.join(ROOT, 'apps/server/src/admin.ts'), '--help'], {
        encoding: 'utf8',
      }).stdout;
    expect(help('--title=keyfold')).toMatch(/^Usage: keyfold COMMAND\n/);
    expect(help()).toMatch(/^Usage: npm run admin -- COMMAND\n/);
  });

  test('runs directly when no unit exists', () => {
    const place = checkout(false);
    expect(run(place, 'list')).toEqual([
      `node --title=keyfold --disable-warning=ExperimentalWarning ${path.join(place.root, 'apps/server/src/admin.ts')} list`,
    ]);
  });
});
