// `npx cap sync` and `npx cap doctor` in a copy of the shell, without a network: both succeed and
// leave the projects' committed files unchanged. The files copied into the apps are adapted to
// them.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fitCopy, policy } from '../tools/after-copy.mjs';
import { mobileRoot, readJson, readText } from './project-files.mjs';

const modules = path.resolve(mobileRoot, '../../node_modules');
const copy = mkdtempSync(path.join(tmpdir(), 'keyfold-shell-'));
const shell = path.join(copy, 'apps/mobile');

const page =
  '<!doctype html>\n<html>\n  <head>\n    <meta charset="utf-8" />\n    <link rel="manifest" href="/m" />\n    <script type="importmap">{"integrity":{}}</script>\n    <script src="/theme-start.js" integrity="sha256-b"></script>\n    <script type="module" crossorigin src="/bundle.index.a1-_.js" integrity="sha256-a"></script>\n  </head>\n</html>\n';

function cap(...args) {
  const run = spawnSync(process.execPath, [path.join(modules, '@capacitor/cli/bin/capacitor'), ...args], {
    cwd: shell,
    encoding: 'utf8',
    timeout: 50_000,
    env: {
      PATH: process.env.PATH,
      HOME: copy,
      CI: '1',
      NO_COLOR: '1',
      // The doctor asks the registry for the newest versions; offline mode makes that fail at once.
      npm_config_offline: 'true',
      npm_config_cache: path.join(copy, 'npm'),
    },
  });
  return { status: run.status, output: `${run.stdout}${run.stderr}` };
}

beforeAll(() => {
  const isMade = /(\/public|capacitor-cordova-[a-z-]+|\/build|\/\.gradle|capacitor\.(config|plugins)\.json)$/;
  cpSync(mobileRoot, shell, {
    recursive: true,
    filter: from => !isMade.test(from) || from.endsWith('/app/build'),
  });
  const { dependencies } = readJson('package.json');
  // Copies, not links: Capacitor writes paths from the project to each package.
  for (const name of [...Object.keys(dependencies), '@capacitor/cli'])
    cpSync(path.join(modules, name), path.join(copy, 'node_modules', name), { recursive: true });
  symlinkSync(path.join(modules, 'typescript'), path.join(copy, 'node_modules/typescript'));
  const web = path.join(copy, 'apps/web/dist');
  mkdirSync(path.join(web, 'assets'), { recursive: true });
  writeFileSync(path.join(web, 'index.html'), page);
  for (const name of [
    'bundle.a.js',
    'bundle.a.js.br',
    'assets/a.css.gz',
    'service-worker.js',
    'manifest.webmanifest',
    'hashes.txt',
    'sbom.cdx.json',
  ])
    writeFileSync(path.join(web, name), 'x');
}, 60_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('sync adds the web client and plugins to both projects without changing committed files', () => {
  const { status, output } = cap('sync');
  expect(output).toContain('Sync finished');
  expect(status).toBe(0);
  for (const file of [
    'android/capacitor.settings.gradle',
    'android/app/capacitor.build.gradle',
    'ios/App/CapApp-SPM/Package.swift',
    'ios/App/App/Info.plist',
    'ios/App/App.xcodeproj/project.pbxproj',
    'android/app/src/main/AndroidManifest.xml',
  ])
    expect(readFileSync(path.join(shell, file), 'utf8'), file).toBe(readText(file));
  const plugins = JSON.parse(
    readFileSync(path.join(shell, 'android/app/src/main/assets/capacitor.plugins.json'), 'utf8'),
  ).map(({ pkg }) => pkg);
  const wanted = Object.keys(readJson('package.json').dependencies).filter(
    name => !/^@capacitor\/(core|android|ios)$/.test(name),
  );
  expect(plugins.sort()).toEqual(wanted.sort());
}, 60_000);

test('the copy in each app has its policy, and nothing that only a server or a browser needs', () => {
  for (const [platform, folder] of [
    ['android', 'android/app/src/main/assets/public'],
    ['ios', 'ios/App/App/public'],
  ]) {
    const at = name => path.join(shell, folder, name);
    const html = readFileSync(at('index.html'), 'utf8');
    const own = platform === 'ios' ? policy.replaceAll("'self'", "'self' capacitor:") : policy;
    expect(html).toContain(
      `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${own}" />`,
    );
    expect(html).not.toContain('manifest');
    // The shell changes scripts, and its policy does not allow an import map.
    expect(html).not.toMatch(/integrity|importmap/);
    expect(html).toContain('<script src="/theme-start.js"></script>');
    // Only the builder of the app has Firebase's file. Without it the app must not call Firebase,
    // which would crash it.
    expect(html).toContain(`<meta name="keyfold-push" content="${platform === 'ios' ? 'on' : 'off'}" />`);
    expect(existsSync(at('bundle.a.js'))).toBe(true);
    for (const name of [
      'bundle.a.js.br',
      'assets/a.css.gz',
      'service-worker.js',
      'manifest.webmanifest',
      'hashes.txt',
      'sbom.cdx.json',
    ])
      expect(existsSync(at(name)), name).toBe(false);
  }
  // The build itself is unchanged: the server sends it to browsers.
  expect(readFileSync(path.join(copy, 'apps/web/dist/index.html'), 'utf8')).toBe(page);
});

test('the configuration takes the app’s name from identity.json and enables no debugging', () => {
  const config = JSON.parse(readFileSync(path.join(shell, 'ios/App/App/capacitor.config.json'), 'utf8'));
  const { app_id, name } = readJson('identity.json');
  expect(config).toMatchObject({
    appId: app_id,
    appName: name,
    appendUserAgent: `KeyfoldApp/${readJson('package.json').version}`,
    loggingBehavior: 'none',
    server: { androidScheme: 'https', iosScheme: 'capacitor', hostname: 'localhost' },
    android: { allowMixedContent: false, webContentsDebuggingEnabled: false },
    ios: { webContentsDebuggingEnabled: false },
  });
  expect(config.server.url).toBeUndefined();
  expect(config.server.allowNavigation).toBeUndefined();
});

test('the Capacitor doctor reports nothing except the missing Xcode', () => {
  const android = cap('doctor', 'android');
  expect(android.output).toContain('Android looking great');
  expect(android.status).toBe(0);
  const ios = cap('doctor', 'ios');
  if (ios.status !== 0) {
    const errors = ios.output.split('\n').filter(line => line.includes('[error]'));
    expect(errors).toEqual([expect.stringContaining('Xcode is not installed')]);
  }
}, 120_000);

test('a start page without a head is rejected, because it could not carry a policy', () => {
  const folder = mkdtempSync(path.join(copy, 'odd-'));
  writeFileSync(path.join(folder, 'index.html'), '<p>x</p>');
  expect(() => fitCopy(folder, 'android')).toThrow('no head');
});
