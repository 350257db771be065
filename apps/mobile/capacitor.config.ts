/**
 * The shell around the web client (ADR 38): what is packed, under which name, and how the page meets the device. Names are
 * in identity.json, the version in package.json; android/ and ios/ are made to agree with both, and a test sees to it.
 */
import type { CapacitorConfig } from '@capacitor/cli';
import identity from './identity.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };

/** The ground of the page in light and dark, before it is drawn; the same values as in the web client's theme. */
const ground = { light: '#F6F7F9', dark: '#0E1117' } as const;

/** After so long the splash goes even if the page never says that it stands, milliseconds. */
const SPLASH_MAX_MS = 4000;

const config: CapacitorConfig = {
  appId: identity.app_id,
  appName: identity.name,
  webDir: '../web/dist',
  // By this the list of sessions tells the program from a browser.
  appendUserAgent: `KeyfoldApp/${manifest.version}`,
  // Never in a build for release, and no plugin's words about mail in a device's log either.
  loggingBehavior: 'none',
  zoomEnabled: false,
  initialFocus: true,
  server: {
    hostname: 'localhost',
    androidScheme: 'https',
    iosScheme: 'capacitor',
  },
  android: {
    allowMixedContent: false,
    webContentsDebuggingEnabled: false,
    // WebViews before it lack what the program is built for.
    minWebViewVersion: 119,
    resolveServiceWorkerRequests: false,
  },
  ios: {
    contentInset: 'never',
    // The page scrolls its own lists; the whole must not bounce under them.
    scrollEnabled: false,
    allowsLinkPreview: false,
    preferredContentMode: 'mobile',
    webContentsDebuggingEnabled: false,
  },
  plugins: {
    Keyboard: { resize: 'native', autoBackdropColor: 'dom' },
    // While the program is open its own list tells of new mail.
    PushNotifications: { presentationOptions: [] },
    SplashScreen: {
      launchAutoHide: true,
      launchShowDuration: SPLASH_MAX_MS,
      launchFadeOutDuration: 150,
      backgroundColor: ground.light,
      showSpinner: false,
    },
    SystemBars: { insetsHandling: 'css', initialViewportFitValueHint: 'cover', style: 'DEFAULT' },
  },
};

// The command line of Capacitor takes the default export.
export default config;
