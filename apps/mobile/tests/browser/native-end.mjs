// A fake native side for the shell's page in Chromium: Capacitor's own bridge, the methods that the
// plugins' Java sources declare, and responses as the plugins give them. Its storage is in memory.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mobileRoot, readJson } from '../project-files.mjs';

const modules = path.resolve(mobileRoot, '../../node_modules');
const bridge = readFileSync(
  path.join(modules, '@capacitor/android/capacitor/src/main/assets/native-bridge.js'),
  'utf8',
);

/**
 * Returns the plugin descriptions that the shell gives the page, read from the plugins' sources, so
 * that a wrong method name fails here as well.
 */
function readHeaders() {
  return Object.keys(readJson('package.json').dependencies).flatMap(name => {
    const sources = readdirSync(path.join(modules, name), { recursive: true })
      .filter(file => /android\/src\/main\/.*\.(java|kt)$/.test(file))
      .map(file => readFileSync(path.join(modules, name, file), 'utf8'));
    return sources.flatMap(source => {
      const found = /@CapacitorPlugin(?:\(([\s\S]*?)\))?\s*(?:public |open |final )*class (\w+)/.exec(source);
      if (found === null) return [];
      const methods = [
        ...source.matchAll(
          /@PluginMethod[^\n]*\s+(?:@\w+[^\n]*\s+)*(?:public\s+void|(?:override )?fun)\s+(\w+)/g,
        ),
      ];
      const own = methods.map(([, method]) => ({ name: method, rtype: 'promise' }));
      const common = [
        { name: 'addListener' },
        ...['removeListener', 'removeAllListeners', 'checkPermissions', 'requestPermissions'].map(method => ({
          name: method,
          rtype: 'promise',
        })),
      ];
      return [
        { name: /name\s*=\s*"(\w+)"/.exec(found[1] ?? '')?.[1] ?? found[2], methods: [...common, ...own] },
      ];
    });
  });
}

/**
 * Installs the fake native side in every page of a context. Returns the live content of the secure
 * storage.
 */
export async function putNativeEnd(context) {
  const stored = new Map();
  const answers = {
    'SecureStorage.internalGetItem': ({ prefixedKey }) => ({ data: stored.get(prefixedKey) ?? null }),
    'SecureStorage.internalSetItem': ({ prefixedKey, data }) => void stored.set(prefixedKey, data),
    'SecureStorage.internalRemoveItem': ({ prefixedKey }) => ({ success: stored.delete(prefixedKey) }),
    'BiometricAuthNative.checkBiometry': () => ({
      isAvailable: false,
      biometryTypes: [],
      code: 'biometryNotAvailable',
    }),
  };
  await context.exposeBinding('__native', async ({ page }, json) => {
    const { callbackId, pluginId, methodName, options } = JSON.parse(json);
    if (methodName === 'addListener') return;
    const data = answers[`${pluginId}.${methodName}`]?.(options ?? {}) ?? {};
    const reply = { callbackId, pluginId, methodName, success: true, save: false, data };
    await page.evaluate(answer => globalThis.Capacitor.fromNative(answer), reply).catch(() => undefined);
  });
  await context.addInitScript({
    content: `window.WEBVIEW_SERVER_URL = 'https://localhost';
window.androidBridge = { postMessage: json => window.__native(json) };
window.Capacitor = { DEBUG: false, isLoggingEnabled: false, Plugins: {} };
${bridge}
window.Capacitor.PluginHeaders = ${JSON.stringify(readHeaders())};`,
  });
  return stored;
}
