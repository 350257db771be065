// The iOS project holds what the shell needs: texts for permissions, schemes, entitlements, privacy, identity.
import { expect, test } from 'vitest';
import { OWN_HOSTS } from '../page/server-address.js';
import { currentXcconfig } from '../tools/identity.mjs';
import { permissionTextFile } from '../tools/permission-texts.mjs';
import { readJson, readPlist, readText, readXcodeProject } from './project-files.mjs';

const info = readPlist('ios/App/App/Info.plist');
const project = readXcodeProject();

const unquoted = text => text?.replace(/^"|"$/g, '');

/** The two configurations of the app itself, with the file their settings begin with. */
function appConfigurations() {
  const { objects } = project.hash.project;
  const [target] = Object.values(objects.PBXNativeTarget).filter(one => typeof one === 'object');
  const list = objects.XCConfigurationList[target.buildConfigurationList];
  return list.buildConfigurations.map(({ value }) => {
    const { name, buildSettings, baseConfigurationReference } = objects.XCBuildConfiguration[value];
    const base = unquoted(objects.PBXFileReference[baseConfigurationReference]?.path);
    return { name, settings: buildSettings, base };
  });
}

test('it says in words why it asks, and asks for no more', () => {
  const asked = Object.keys(info).filter(key => key.endsWith('UsageDescription'));
  // iOS ends a program that has no words for what it asks: also where its own picker films, and its own sheet saves a picture.
  expect(asked.sort()).toEqual([
    'NSCameraUsageDescription',
    'NSFaceIDUsageDescription',
    'NSMicrophoneUsageDescription',
    'NSPhotoLibraryAddUsageDescription',
  ]);
  for (const key of asked) expect(info[key]).toMatch(/^Keyfold [a-z].*\.$/);
});

test('it says so in every language that it has', () => {
  const [file, text] = permissionTextFile();
  expect(readText(file)).toBe(text);
  const { strings } = readJson(file);
  expect(Object.keys(strings).sort()).toEqual(
    Object.keys(info).filter(key => key.endsWith('UsageDescription')),
  );
  for (const [key, { localizations }] of Object.entries(strings)) {
    expect(Object.keys(localizations)).toEqual(info.CFBundleLocalizations);
    expect(localizations.en.stringUnit.value).toBe(info[key]);
    const texts = Object.values(localizations).map(({ stringUnit }) => stringUnit.value);
    expect(new Set(texts).size).toBe(texts.length);
    for (const one of texts) expect(one).toContain('Keyfold');
  }
  // A language that the project does not know of is left out of the app.
  expect(project.getFirstProject().firstProject.knownRegions.sort()).toEqual(
    [...info.CFBundleLocalizations, 'Base'].sort(),
  );
});

test('it opens its own scheme, mail links and files that are shared with it', () => {
  expect(info.CFBundleURLTypes.flatMap(one => one.CFBundleURLSchemes)).toEqual([
    '$(KEYFOLD_SCHEME)',
    'mailto',
  ]);
  expect(info.CFBundleDocumentTypes).toEqual([
    {
      CFBundleTypeName: 'File',
      CFBundleTypeRole: 'Viewer',
      LSHandlerRank: 'Alternate',
      LSItemContentTypes: ['public.data', 'public.content'],
    },
  ]);
  // Then the system makes a copy; the file of another program is never opened where it lies.
  expect(info.LSSupportsOpeningDocumentsInPlace).toBe(false);
});

test('nothing goes over the network in the clear but to this machine', () => {
  expect(info.NSAppTransportSecurity).toEqual({
    NSAllowsArbitraryLoads: false,
    NSExceptionDomains: {
      '127.0.0.1': { NSExceptionAllowsInsecureHTTPLoads: true },
      localhost: { NSExceptionAllowsInsecureHTTPLoads: true },
    },
  });
  // Those to which the page lets http be, but the emulator's name, which is Android's.
  expect(Object.keys(info.NSAppTransportSecurity.NSExceptionDomains).sort()).toEqual(
    [...OWN_HOSTS].filter(host => host !== '10.0.2.2').sort(),
  );
});

test('it may be notified, takes links of the configured host, and its files are sealed with the device', () => {
  expect(readPlist('ios/App/App/App.entitlements')).toEqual({
    'aps-environment': '$(KEYFOLD_APS_ENVIRONMENT)',
    'com.apple.developer.associated-domains': ['applinks:$(KEYFOLD_LINK_HOST)'],
    'com.apple.developer.default-data-protection': 'NSFileProtectionCompleteUnlessOpen',
  });
  expect(appConfigurations().map(({ name, settings }) => [name, settings.KEYFOLD_APS_ENVIRONMENT])).toEqual([
    ['Debug', 'development'],
    ['Release', 'production'],
  ]);
});

test('its privacy manifest says that nobody is followed and nothing gathered, and is in the app', () => {
  expect(readPlist('ios/App/App/PrivacyInfo.xcprivacy')).toEqual({
    NSPrivacyTracking: false,
    NSPrivacyTrackingDomains: [],
    NSPrivacyCollectedDataTypes: [],
    NSPrivacyAccessedAPITypes: [
      {
        NSPrivacyAccessedAPIType: 'NSPrivacyAccessedAPICategoryFileTimestamp',
        NSPrivacyAccessedAPITypeReasons: ['C617.1'],
      },
      {
        NSPrivacyAccessedAPIType: 'NSPrivacyAccessedAPICategoryUserDefaults',
        NSPrivacyAccessedAPITypeReasons: ['CA92.1'],
      },
    ],
  });
  const { PBXResourcesBuildPhase } = project.hash.project.objects;
  const [phase] = Object.values(PBXResourcesBuildPhase).filter(one => typeof one === 'object');
  const names = phase.files.map(({ comment }) => comment);
  for (const name of [
    'PrivacyInfo.xcprivacy',
    'Localizable.xcstrings',
    'InfoPlist.xcstrings',
    'Assets.xcassets',
    'public',
    'capacitor.config.json',
  ])
    expect(names).toContain(`${name} in Resources`);
});

test('every file that the project names is there or made by Capacitor', () => {
  const { PBXFileReference } = project.hash.project.objects;
  const paths = Object.values(PBXFileReference)
    .filter(one => typeof one === 'object')
    .map(one => unquoted(one.path));
  const made = ['App.app', 'config.xml', 'capacitor.config.json', 'public'];
  for (const path of paths.filter(path => !made.includes(path) && !path.includes('xcassets')))
    expect(
      () => readText(path.startsWith('../') ? `ios/${path.slice(3)}` : `ios/App/App/${path}`),
      path,
    ).not.toThrow();
});

test('name, id and version come from their one place', () => {
  expect(readText('ios/Keyfold.xcconfig')).toBe(currentXcconfig());
  expect(readText('ios/Keyfold.xcconfig')).toContain(
    `MARKETING_VERSION = ${readJson('package.json').version}\n`,
  );
  expect(readText('ios/debug.xcconfig')).toContain('#include "Keyfold.xcconfig"');
  for (const { name, settings, base } of appConfigurations()) {
    expect(base).toBe(name === 'Debug' ? '../debug.xcconfig' : '../Keyfold.xcconfig');
    expect(settings.CODE_SIGN_ENTITLEMENTS).toBe('App/App.entitlements');
    // Set here they would win over the file.
    for (const key of ['PRODUCT_BUNDLE_IDENTIFIER', 'MARKETING_VERSION', 'CURRENT_PROJECT_VERSION'])
      expect(settings[key], key).toBeUndefined();
  }
  expect([info.CFBundleDisplayName, info.CFBundleIdentifier]).toEqual([
    '$(KEYFOLD_NAME)',
    '$(PRODUCT_BUNDLE_IDENTIFIER)',
  ]);
});

test('it runs on the systems that it says, in every configuration', () => {
  const { XCBuildConfiguration } = project.hash.project.objects;
  const targets = Object.values(XCBuildConfiguration)
    .map(one => one.buildSettings?.IPHONEOS_DEPLOYMENT_TARGET)
    .filter(target => target !== undefined);
  expect(targets.length).toBeGreaterThan(1);
  expect(new Set(targets.map(String))).toEqual(new Set(['15.0']));
  expect(readText('ios/App/CapApp-SPM/Package.swift')).toContain('platforms: [.iOS(.v15)]');
});

test('it is built from Swift packages alone', () => {
  const { objects } = project.hash.project;
  const packages = Object.values(objects.XCLocalSwiftPackageReference).filter(one => typeof one === 'object');
  expect(packages.map(one => unquoted(one.relativePath))).toEqual(['CapApp-SPM']);
});

test('word about notifications reaches Capacitor, and the screen is covered while it is left', () => {
  const delegate = readText('ios/App/App/AppDelegate.swift');
  expect(delegate).toContain('.capacitorDidRegisterForRemoteNotifications');
  expect(delegate).toContain('.capacitorDidFailToRegisterForRemoteNotifications');
  // What was read elsewhere goes without a page: the system wakes the program for it.
  expect(info.UIBackgroundModes).toEqual(['remote-notification']);
  expect(delegate).toContain('userInfo["type"] as? String == "read"');
  expect(delegate).toContain('removeDeliveredNotifications(withIdentifiers: [id])');
  const scene = readText('ios/App/App/SceneDelegate.swift');
  expect(scene).toContain('sceneWillResignActive');
  expect(scene).toContain('UIColor(named: "Ground")');
});

test('what the page and other programs lay down goes into no backup', () => {
  const delegate = readText('ios/App/App/AppDelegate.swift');
  // The page's storage lies in Library/WebKit, shared files in Documents/Inbox.
  expect(delegate).toMatch(/didFinishLaunchingWithOptions[^}]*keepOutOfBackups\(\)/);
  const [, body] = /func keepOutOfBackups\(\) \{(.*?)\n {4}\}/s.exec(delegate);
  for (const part of ['.documentDirectory', '.libraryDirectory', '"WebKit"', 'isExcludedFromBackup = true'])
    expect(body).toContain(part);
});
