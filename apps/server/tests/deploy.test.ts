// What is in deploy/: that the settings which its files give are settings that the server takes, that all roles run
// somewhere, and that nothing runs with more rights than it needs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeCertificate } from '@keyfold/testing/certificate';
import { ALLOCATOR } from '@keyfold/testing/cluster/allocator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Config, readConfig } from '../src/config.ts';
import { DISK_RESERVE_BYTES, PST_FILE_MAX_BYTES } from '../src/limits.ts';
import { type KubernetesObject, renderChart } from './chart.ts';
import { MEMORY_NEEDS } from './memory-needs.ts';

const DEPLOY = path.resolve(import.meta.dirname, '../../../deploy');
const ROLES = ['http', 'smtp', 'worker'];
const SECRETS = { DATABASE_URL: 'postgres://k:p@db/keyfold', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 's' };
const textOf = (...names: string[]): string => readFileSync(path.join(DEPLOY, ...names), 'utf8');
/** Settings that README.md lists, but for those of files that are not here. */
const known = new Set(
  [...readFileSync(path.join(DEPLOY, '../README.md'), 'utf8').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(
    ([, name]) => name,
  ),
);
/** A certificate in place of the one that the files of deploy/ name. */
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

/** What the server makes of settings; each must be one that it knows, or one that the tests' nodes run with. */
const configOf = (given: Readonly<Record<string, string>>): Config => {
  const env = Object.fromEntries(Object.entries(given).filter(([name, value]) => ALLOCATOR[name] !== value));
  for (const name of Object.keys(env)) expect(known, name).toContain(name);
  return readConfig({ ...env, ...(env.TLS_CERT_FILE && env.TLS_KEY_FILE ? FILES : {}) });
};

/** Bytes of a quantity as Kubernetes writes it; NaN for another one. */
const bytesOf = (quantity = ''): number => {
  const [, count, unit] = /^(\d+)([MG])i$/.exec(quantity) ?? [];
  return Number(count) * 1024 ** (unit === 'G' ? 3 : 2);
};

describe('the compose file', () => {
  type Service = {
    readonly environment?: Readonly<Record<string, string>>;
    readonly image?: string;
    readonly build?: { readonly dockerfile: string };
    readonly [name: string]: unknown;
  };
  const example = Object.fromEntries(
    textOf('compose.env.example')
      .split('\n')
      .filter(line => /^\w+=/.test(line))
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1) || 'x1']),
  );
  const given = {
    ...example,
    KEYFOLD_TRUSTED_PROXIES: '172.18.0.0/16',
    SMTP_RELAY: 'smtp://relay.example.org',
  };
  const unnamed = new Set<string>();
  const filled = textOf('compose.yaml').replace(
    /\$\{(\w+)(:\?|:-([^}]*))?\}/g,
    (_, name: string, kind = '', fallback = '') => {
      const value = (given as Readonly<Record<string, string>>)[name];
      if (value === undefined && !kind.startsWith(':-')) unnamed.add(name);
      return value ?? fallback;
    },
  );
  const { services, volumes } = parse(filled, { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, unknown>>;
  };

  test('names what it needs in the example of its settings, and holds no secret', () => {
    expect([...unnamed]).toEqual([]);
    expect(textOf('compose.env.example')).toMatch(/^POSTGRES_PASSWORD=\n.*\nS3_SECRET_KEY=$/ms);
  });

  test('runs each role once over one database and one bucket, without rights', () => {
    const configs = ROLES.map(role => configOf(services[role]?.environment ?? {}));
    expect(configs.map(({ roles }) => roles)).toEqual(ROLES.map(role => [role]));
    for (const { databaseUrl, s3 } of configs) {
      expect(new URL(databaseUrl ?? '').hostname).toBe('postgres');
      expect(s3).toMatchObject({ endpoint: 'http://store:9000', bucket: 'keyfold' });
    }
    for (const role of ROLES)
      expect(services[role]).toMatchObject({
        cap_drop: ['ALL'],
        read_only: true,
        security_opt: ['no-new-privileges:true'],
        ulimits: { core: 0 },
        env_file: [{ path: 'settings.env', required: false }],
        volumes: ['data:/var/lib/keyfold/data', ...(role === 'smtp' ? ['./tls:/etc/keyfold/tls:ro'] : [])],
      });
    // The machine's memory is for all: a bound of one's own would have to be what the chart's is.
    for (const role of ROLES)
      for (const bound of ['mem_limit', 'deploy']) expect(services[role]).not.toHaveProperty(bound);
    // Only the proxy of the machine reaches HTTP, and everybody SMTP.
    expect([services.http?.ports, services.smtp?.ports]).toEqual([['127.0.0.1:8000:8000'], ['25:2525']]);
    expect(Object.keys(volumes)).toEqual(['data', 'postgres', 'store']);
  });

  test('promises the same of its mail servers on every machine, and something only when it is told to', () => {
    const promisesOf = (changed: Readonly<Record<string, string>>) =>
      ROLES.map(role => {
        const { mtaSts, mxNames, tlsFiles } = configOf({ ...services[role]?.environment, ...changed });
        return [mtaSts, mxNames, tlsFiles !== undefined];
      });
    const names = ['mail.example.org'];
    expect(promisesOf({})).toEqual(ROLES.map(role => ['none', names, role === 'smtp']));
    expect(filled).toContain('KEYFOLD_MTA_STS: none');
    expect(promisesOf({ KEYFOLD_MTA_STS: 'enforce' })).toEqual(
      ROLES.map(role => ['enforce', names, role === 'smtp']),
    );
  });

  test('is built by a file that runs without root', () => {
    expect(services.http?.build?.dockerfile).toBe('deploy/Dockerfile');
    const docker = textOf('Dockerfile');
    expect(docker).toMatch(/^USER 10001$/m);
    expect(docker).toContain('apps/server/src/main.ts');
    // What is copied into the image is what git would take, and no secret that lies beside it.
    const left = textOf('Dockerfile.dockerignore').split('\n');
    expect(left).toEqual(expect.arrayContaining(['deploy/.env', 'deploy/settings.env', 'deploy/tls']));
    for (const [name, value] of Object.entries(ALLOCATOR))
      expect(docker).toMatch(new RegExp(`^ENV (.* )?${name}=${value}( |$)`, 'm'));
  });
});

describe('the chart', () => {
  const chart = path.join(DEPLOY, 'helm/keyfold');
  const objects = renderChart(chart, 'mail');

  test('believes no network about who a client is until it is told which', () => {
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

  test('runs each role with settings that the server takes', () => {
    for (const role of ROLES) {
      const [container] = podOf(role).containers;
      const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
      const config = configOf({ ...settings, ...SECRETS, ...env });
      expect(config.roles).toEqual([role]);
      expect(config.s3?.bucket).toBe('keyfold');
      const ports = { http: config.httpPort, smtp: config.smtpPort } as Readonly<Record<string, number>>;
      for (const { name, containerPort } of container.ports ?? []) expect(containerPort).toBe(ports[name]);
      expect(container.envFrom).toEqual([
        { configMapRef: { name: 'mail-settings' } },
        { secretRef: { name: 'keyfold-environment' } },
      ]);
    }
  });

  test('gives no rights, and one key and its volumes to all', () => {
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

  test('gives each role the memory that its budgets add up to, and more than what the alert waits for', () => {
    const alert = /`keyfold_process_resident_memory_bytes > ([\d.e]+)`/.exec(
      readFileSync(path.join(DEPLOY, '../docs/operations.md'), 'utf8'),
    );
    for (const role of ROLES) {
      const { limits, requests } = podOf(role).containers[0].resources as Record<string, { memory: string }>;
      const bytes = bytesOf(limits?.memory);
      expect(bytes, role).toBeGreaterThanOrEqual(MEMORY_NEEDS[role] ?? Number.POSITIVE_INFINITY);
      expect(bytes, role).toBeGreaterThan(Number(alert?.[1]));
      expect(bytesOf(requests?.memory), role).toBeLessThan(bytes);
    }
  });

  test('selects what it deploys, binds nobody to a pod, and keeps the addresses of mail servers', () => {
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

  test('promises a certificate on every machine, has one where mail comes in, and lets others ask for the policy', () => {
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

  test('leaves out what is switched off', () => {
    const without = renderChart(chart, 'mail', { ingress: { enabled: false } });
    expect(without.map(({ kind }) => kind)).not.toContain('Ingress');
    const alone = renderChart(chart, 'mail', { ingress: { mtaStsHosts: [] } });
    expect((one('Ingress', 'mail', alone).spec as { rules: unknown[] }).rules).toHaveLength(1);
  });

  test('shares nothing between pods but the key: every disk is of a pod alone', () => {
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

describe('the units of systemd', () => {
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

  test('are the ones that the documents name', () => {
    expect(readdirSync(folder).sort()).toEqual([
      'keyfold-backup.service',
      'keyfold-backup.timer',
      'keyfold.service',
      'keyfold@.service',
    ]);
  });

  test('start what there is, with settings that the server takes', () => {
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
      });
      expect(unit.get('StateDirectory')).toEqual(['keyfold']);
      expect(env).toMatchObject(ALLOCATOR);
    }
    expect(unitOf('keyfold-backup.service').get('ExecStart')?.[0]).toMatch(
      /\$\$admin backup .* \$\$admin verify-backup /,
    );
  });

  test('keep memory off the disk and rights away', () => {
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
      // As in the compose file.
      expect(unit.has('MemoryMax') || unit.has('MemoryHigh')).toBe(false);
      for (const [key, value] of Object.entries(expected))
        expect([name, key, unit.get(key)]).toEqual([name, key, [value]]);
      expect(['', 'CAP_NET_BIND_SERVICE']).toContain(unit.get('CapabilityBoundingSet')?.[0]);
    }
  });
});
