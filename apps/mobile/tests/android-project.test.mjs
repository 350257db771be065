// The Android project declares what the shell needs and nothing more: permissions, intents,
// network, backups, identity.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OWN_HOSTS } from '../page/server-address.js';
import { mobileRoot, readBytes, readJson, readText, readXml } from './project-files.mjs';

const main = 'android/app/src/main';
const [manifest] = readXml(`${main}/AndroidManifest.xml`).manifest;
const [application] = manifest.application;
const [activity] = application.activity;

const namesOf = elements => (elements ?? []).map(element => element['android:name']);

const isPath = element => 'android:path' in element || 'android:pathPrefix' in element;

/**
 * Every intent filter as plain data; apps/web/src/native/links.test.ts covers the paths it accepts.
 */
const filters = activity['intent-filter'].map(filter => ({
  isVerified: filter['android:autoVerify'] === 'true',
  actions: namesOf(filter.action).map(name => name.replace('android.intent.action.', '')),
  categories: namesOf(filter.category).map(name => name.replace('android.intent.category.', '')),
  data: Object.assign({}, ...(filter.data ?? []).filter(one => !isPath(one))),
}));
const filterOf = (action, want) =>
  filters.filter(
    ({ actions, data }) =>
      actions.includes(action) && Object.entries(want).every(([name, value]) => data[name] === value),
  );

test('the app requests exactly these permissions', () => {
  expect(namesOf(manifest['uses-permission']).sort()).toEqual([
    'android.permission.CAMERA',
    'android.permission.INTERNET',
    'android.permission.POST_NOTIFICATIONS',
    'android.permission.USE_BIOMETRIC',
  ]);
  // Devices without a camera can install the app as well.
  for (const feature of manifest['uses-feature']) expect(feature['android:required']).toBe('false');
});

test('the app exports a single activity and nothing else', () => {
  expect(application.activity).toHaveLength(1);
  expect(activity['android:exported']).toBe('true');
  expect(activity['android:launchMode']).toBe('singleTask');
  expect(filters[0]).toMatchObject({ actions: ['MAIN'], categories: expect.arrayContaining(['LAUNCHER']) });
  // The plugin's own service is removed and replaced by ours.
  expect(
    application.service.map(one => [one['android:name'], one['android:exported'], one['tools:node']]),
  ).toEqual([
    ['com.capacitorjs.plugins.pushnotifications.MessagingService', undefined, 'remove'],
    ['.PushService', 'false', undefined],
  ]);
  expect(application.receiver).toBeUndefined();
  for (const provider of application.provider) expect(provider['android:exported']).toBe('false');
});

test('only the intent filter for links of the configured host is verified', () => {
  expect(filters.filter(({ isVerified }) => isVerified)).toEqual([
    {
      isVerified: true,
      actions: ['VIEW'],
      categories: ['DEFAULT', 'BROWSABLE'],
      data: {
        'android:scheme': 'https',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Gradle fills it in.
        'android:host': '${linkHost}',
      },
    },
  ]);
  const gradle = readText('android/app/build.gradle');
  expect(gradle).toMatch(
    /manifestPlaceholders = \[linkHost: linkHost \?: 'keyfold\.invalid', linkScheme: identity\.scheme\]/,
  );
  expect(gradle).toContain("setting('keyfold.linkHost', 'KEYFOLD_LINK_HOST')");
});

test('the app opens its own scheme and mailto links, and accepts shared content', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Gradle fills it in.
  expect(filterOf('VIEW', { 'android:scheme': '${linkScheme}' })[0]?.categories).toContain('BROWSABLE');
  for (const action of ['VIEW', 'SENDTO'])
    expect(filterOf(action, { 'android:scheme': 'mailto' })).toHaveLength(1);
  for (const action of ['SEND', 'SEND_MULTIPLE'])
    expect(filterOf(action, { 'android:mimeType': '*/*' })).toHaveLength(1);
  // No other app may open the scheme by which shared items reach the page.
  expect(readText(`${main}/java/app/keyfold/mail/SharedLetter.java`)).toContain('SCHEME = "keyfold-share"');
  expect(JSON.stringify(filters)).not.toContain('keyfold-share');
  expect(readJson('identity.json').scheme).not.toBe('keyfold-share');
});

test('cleartext traffic is allowed to local hosts only', () => {
  expect(application['android:networkSecurityConfig']).toBe('@xml/network_security_config');
  expect(application['android:usesCleartextTraffic']).toBeUndefined();
  const [config] = readXml(`${main}/res/xml/network_security_config.xml`)['network-security-config'];
  expect(config['base-config'][0].cleartextTrafficPermitted).toBe('false');
  expect(config['base-config'][0]['trust-anchors'][0].certificates).toEqual([{ src: 'system' }]);
  const clear = config['domain-config'].filter(one => one.cleartextTrafficPermitted === 'true');
  expect(clear.flatMap(({ domain }) => domain.map(one => one['#text']).map(String)).sort()).toEqual(
    [...OWN_HOSTS].sort(),
  );
  for (const { domain } of clear) for (const one of domain) expect(one.includeSubdomains).toBe('false');
});

test('no app data goes into backups or device transfers', () => {
  expect(application['android:allowBackup']).toBe('false');
  expect(application['android:dataExtractionRules']).toBe('@xml/data_extraction_rules');
  expect(application['android:fullBackupContent']).toBe('@xml/full_backup_content');
  const everything = ['database', 'external', 'file', 'root', 'sharedpref'];
  const [rules] = readXml(`${main}/res/xml/data_extraction_rules.xml`)['data-extraction-rules'];
  const [old] = readXml(`${main}/res/xml/full_backup_content.xml`)['full-backup-content'];
  for (const part of [rules['cloud-backup'][0], rules['device-transfer'][0], old]) {
    expect(part.include).toBeUndefined();
    expect(part.exclude.map(({ domain }) => domain).sort()).toEqual(everything);
    for (const { path } of part.exclude) expect(path).toBe('.');
  }
});

test('the file provider shares files from these folders only', () => {
  const [paths] = readXml(`${main}/res/xml/file_paths.xml`).paths;
  const { 'xmlns:android': _, ...folders } = paths;
  expect(folders).toEqual({
    'external-files-path': [{ name: 'taken_pictures', path: 'Pictures/' }],
    'cache-path': [{ name: 'handed_over', path: 'handed-over/' }],
  });
});

test('Firebase does not start by itself, and notifications have a white icon', () => {
  const meta = Object.fromEntries(
    application['meta-data'].map(one => [
      one['android:name'].replace('com.google.firebase.messaging.', ''),
      one['android:value'] ?? one['android:resource'],
    ]),
  );
  expect(meta).toEqual({
    firebase_messaging_auto_init_enabled: 'false',
    firebase_analytics_collection_enabled: 'false',
    default_notification_icon: '@drawable/ic_notification',
    default_notification_color: '@color/accent',
    default_notification_channel_id: 'mail',
  });
});

test('the push service removes the notification of a message that was read on another device', () => {
  const [, service] = application.service;
  expect(namesOf(service['intent-filter'][0].action)).toEqual(['com.google.firebase.MESSAGING_EVENT']);
  const java = readText(`${main}/java/app/keyfold/mail/PushService.java`);
  expect(java).toContain('extends MessagingService');
  expect(java).toContain('"read".equals(message.getData().get("type"))');
  expect(java).toContain('shown.cancel(id, SHOWN_ID)');
  // The plugin version in use still contains what our service depends on.
  const plugin = readFileSync(
    path.join(mobileRoot, '../../node_modules/@capacitor/push-notifications/android/build.gradle'),
    'utf8',
  );
  const [, version] = /firebaseMessagingVersion : '([\d.]+)'/.exec(plugin);
  expect(readText('android/variables.gradle')).toContain(`firebaseMessagingVersion = '${version}'`);
});

test('the app targets Android 16 and runs on Android 7 and later', () => {
  const variables = readText('android/variables.gradle');
  const numberOf = name => Number(new RegExp(`^\\s*${name} = (\\d+)$`, 'm').exec(variables)?.[1]);
  expect(['minSdkVersion', 'compileSdkVersion', 'targetSdkVersion'].map(numberOf)).toEqual([24, 36, 36]);
  const gradle = readText('android/app/build.gradle');
  for (const line of [
    'minSdkVersion rootProject.ext.minSdkVersion',
    'compileSdk = rootProject.ext.compileSdkVersion',
    'targetSdkVersion rootProject.ext.targetSdkVersion',
  ])
    expect(gradle).toContain(line);
});

test('the build takes name, id and version from identity.json and package.json', () => {
  const gradle = readText('android/app/build.gradle');
  for (const line of [
    'applicationId identity.app_id',
    "resValue 'string', 'app_name', identity.name as String",
    'versionName appVersion',
    "file('../../identity.json')",
    "file('../../package.json')",
  ])
    expect(gradle).toContain(line);
  // The package of the Java files stays the same when the app gets another name.
  expect(gradle).toContain('namespace = "app.keyfold.mail"');
  expect(application['android:label']).toBe('@string/app_name');
});

test('the Gradle wrapper downloads only from services.gradle.org and validates the URL', () => {
  expect(readBytes('android/gradle/wrapper/gradle-wrapper.jar').subarray(0, 2).toString()).toBe('PK');
  expect(readText('android/gradle/wrapper/gradle-wrapper.properties')).toMatch(
    /^distributionUrl=https\\:\/\/services\.gradle\.org\/distributions\/gradle-[\d.]+-all\.zip$/m,
  );
  expect(readText('android/gradle/wrapper/gradle-wrapper.properties')).toContain(
    'validateDistributionUrl=true',
  );
});

test('the list of recent apps shows no screenshots of the app', () => {
  const java = readText(`${main}/java/app/keyfold/mail/MainActivity.java`);
  expect(java).toContain('setRecentsScreenshotEnabled(false)');
  expect(java).toContain('FLAG_SECURE');
});

test('the background before the page is drawn follows the light or dark theme', () => {
  const groundOf = folder =>
    readXml(`${main}/res/${folder}/colors.xml`).resources[0].color.find(({ name }) => name === 'ground')[
      '#text'
    ];
  expect([groundOf('values'), groundOf('values-night')]).toEqual(['#F6F7F9', '#0E1117']);
  const launch = readXml(`${main}/res/values/styles.xml`).resources[0].style.find(
    ({ name }) => name === 'AppTheme.NoActionBarLaunch',
  );
  const items = Object.fromEntries(launch.item.map(item => [item.name, item['#text']]));
  expect(items).toEqual({
    windowSplashScreenBackground: '@color/ground',
    windowSplashScreenAnimatedIcon: '@drawable/splash_icon',
    postSplashScreenTheme: '@style/AppTheme.NoActionBar',
  });
});
