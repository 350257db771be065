/**
 * Configures the native shell around the web client (ADR 38): what is packaged, under which name,
 * and how the page integrates with the device. Names come from identity.json and the version from
 * package.json; a test checks that android/ and ios/ match both.
 */
import type { CapacitorConfig } from '@capacitor/cli';
import identity from './identity.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };

/**
 * Background color in light and dark mode before the page renders; matches the web client's theme.
 */
const ground = { light: '#F6F7F9', dark: '#0E1117' } as const;

/**
 * Time after which the splash screen is hidden even if the page never reports that it is ready, in
 * milliseconds.
 */
const SPLASH_MAX_MS = 4000;

const config: CapacitorConfig = {
  appId: identity.app_id,
  appName: identity.name,
  webDir: '../web/dist',
  // Lets the list of sessions distinguish the app from a browser.
  appendUserAgent: `KeyfoldApp/${manifest.version}`,
  // Disabled in every build, so that plugins never write anything about mail to a device's log.
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
    // Older WebViews lack features that the client's build target requires.
    minWebViewVersion: 119,
    resolveServiceWorkerRequests: false,
  },
  ios: {
    contentInset: 'never',
    // The page scrolls its own lists; the page as a whole must not bounce under them.
    scrollEnabled: false,
    allowsLinkPreview: false,
    preferredContentMode: 'mobile',
    webContentsDebuggingEnabled: false,
  },
  plugins: {
    Keyboard: { resize: 'native', autoBackdropColor: 'dom' },
    // While the app is open, its own list shows new mail.
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

// Capacitor's command line reads the default export.
export default config;
