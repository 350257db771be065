// The iOS project declares what the shell needs: permission texts, schemes, entitlements, privacy,
// identity.
import { expect, test } from 'vitest';
import { OWN_HOSTS } from '../page/server-address.js';
import { currentXcconfig } from '../tools/identity.mjs';
import { permissionTextFile } from '../tools/permission-texts.mjs';
import { readJson, readPlist, readText, readXcodeProject } from './project-files.mjs';

const info = readPlist('ios/App/App/Info.plist');
const project = readXcodeProject();

const unquoted = text => text?.replace(/^"|"$/g, '');

/** Returns the app's two build configurations, with the file that each is based on. */
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

test('the app states the purpose of each permission and requests no others', () => {
  const asked = Object.keys(info).filter(key => key.endsWith('UsageDescription'));
  // iOS terminates an app that requests a permission without a usage text, including when its own
  // picker records video or its own share sheet saves an image.
  expect(asked.sort()).toEqual([
    'NSCameraUsageDescription',
    'NSFaceIDUsageDescription',
    'NSMicrophoneUsageDescription',
    'NSPhotoLibraryAddUsageDescription',
  ]);
  for (const key of asked) expect(info[key]).toMatch(/^Keyfold [a-z].*\.$/);
});

test('the purpose texts are translated into every language of the app', () => {
  const [file, text] = permissionTextFile();
  expect(readText(file)).toBe(text);
  const { strings } = readJson(file);
  expect(Object.keys(strings).sort()).toEqual(
    Object.keys(info).filter(key => key.endsWith('UsageDescription')),
  );
  expect([...info.CFBundleLocalizations].sort()).toEqual(
    Object.keys(readJson('permission-texts.json')).sort(),
  );
  for (const [key, { localizations }] of Object.entries(strings)) {
    expect(Object.keys(localizations)).toEqual(info.CFBundleLocalizations);
    expect(localizations.en.stringUnit.value).toBe(info[key]);
    const texts = Object.values(localizations).map(({ stringUnit }) => stringUnit.value);
    expect(new Set(texts).size).toBe(texts.length);
    for (const one of texts) expect(one).toContain('Keyfold');
  }
  // A language that the project does not list is left out of the app.
  expect(project.getFirstProject().firstProject.knownRegions.map(unquoted).sort()).toEqual(
    [...info.CFBundleLocalizations, 'Base'].sort(),
  );
});

test('the app opens its own scheme, mailto links and shared files', () => {
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
  // With this setting the system makes a copy; the app never opens another app's file in place.
  expect(info.LSSupportsOpeningDocumentsInPlace).toBe(false);
});

test('cleartext traffic is allowed to local hosts only', () => {
  expect(info.NSAppTransportSecurity).toEqual({
    NSAllowsArbitraryLoads: false,
    NSExceptionDomains: {
      '127.0.0.1': { NSExceptionAllowsInsecureHTTPLoads: true },
      localhost: { NSExceptionAllowsInsecureHTTPLoads: true },
    },
  });
  // The hosts for which the page keeps http, without the emulator's name, which is specific to
  // Android.
  expect(Object.keys(info.NSAppTransportSecurity.NSExceptionDomains).sort()).toEqual(
    [...OWN_HOSTS].filter(host => host !== '10.0.2.2').sort(),
  );
});

test('the entitlements cover push, links of the configured host and file protection', () => {
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

test('the privacy manifest declares no tracking and no data collection, and ships with the app', () => {
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

test('every file that the project references exists or is generated by Capacitor', () => {
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

test('name, id and version come from the generated Keyfold.xcconfig', () => {
  expect(readText('ios/Keyfold.xcconfig')).toBe(currentXcconfig());
  expect(readText('ios/Keyfold.xcconfig')).toContain(
    `MARKETING_VERSION = ${readJson('package.json').version}\n`,
  );
  expect(readText('ios/debug.xcconfig')).toContain('#include "Keyfold.xcconfig"');
  for (const { name, settings, base } of appConfigurations()) {
    expect(base).toBe(name === 'Debug' ? '../debug.xcconfig' : '../Keyfold.xcconfig');
    expect(settings.CODE_SIGN_ENTITLEMENTS).toBe('App/App.entitlements');
    // Values set here would override the file.
    for (const key of ['PRODUCT_BUNDLE_IDENTIFIER', 'MARKETING_VERSION', 'CURRENT_PROJECT_VERSION'])
      expect(settings[key], key).toBeUndefined();
  }
  expect([info.CFBundleDisplayName, info.CFBundleIdentifier]).toEqual([
    '$(KEYFOLD_NAME)',
    '$(PRODUCT_BUNDLE_IDENTIFIER)',
  ]);
});

test('every build configuration has the same minimum iOS version', () => {
  const { XCBuildConfiguration } = project.hash.project.objects;
  const targets = Object.values(XCBuildConfiguration)
    .map(one => one.buildSettings?.IPHONEOS_DEPLOYMENT_TARGET)
    .filter(target => target !== undefined);
  expect(targets.length).toBeGreaterThan(1);
  expect(new Set(targets.map(String))).toEqual(new Set(['15.0']));
  expect(readText('ios/App/CapApp-SPM/Package.swift')).toContain('platforms: [.iOS(.v15)]');
});

test('the app is built from Swift packages only', () => {
  const { objects } = project.hash.project;
  const packages = Object.values(objects.XCLocalSwiftPackageReference).filter(one => typeof one === 'object');
  expect(packages.map(one => unquoted(one.relativePath))).toEqual(['CapApp-SPM']);
});

test('the app delegate forwards push events to Capacitor and covers the screen in the background', () => {
  const delegate = readText('ios/App/App/AppDelegate.swift');
  expect(delegate).toContain('.capacitorDidRegisterForRemoteNotifications');
  expect(delegate).toContain('.capacitorDidFailToRegisterForRemoteNotifications');
  // Notifications of messages read elsewhere are removed without a page: the system wakes the app
  // for it.
  expect(info.UIBackgroundModes).toEqual(['remote-notification']);
  expect(delegate).toContain('userInfo["type"] as? String == "read"');
  expect(delegate).toContain('removeDeliveredNotifications(withIdentifiers: [id])');
  const scene = readText('ios/App/App/SceneDelegate.swift');
  expect(scene).toContain('sceneWillResignActive');
  expect(scene).toContain('UIColor(named: "Ground")');
});

test('data of the page and files from other apps are excluded from backups', () => {
  const delegate = readText('ios/App/App/AppDelegate.swift');
  // The page's storage is in Library/WebKit, shared files are in Documents/Inbox.
  expect(delegate).toMatch(/didFinishLaunchingWithOptions[^}]*keepOutOfBackups\(\)/);
  const [, body] = /func keepOutOfBackups\(\) \{(.*?)\n {4}\}/s.exec(delegate);
  for (const part of ['.documentDirectory', '.libraryDirectory', '"WebKit"', 'isExcludedFromBackup = true'])
    expect(body).toContain(part);
});
