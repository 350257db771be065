import { describe, expect, it } from 'vitest';
import { findBrowser, findFirefox, findShell } from './browser.mjs';

const only =
  (...files) =>
  file =>
    files.includes(file);

describe('findBrowser', () => {
  it('prefers CHROMIUM_PATH', () => {
    const env = { CHROMIUM_PATH: '/opt/c', PATH: '/usr/bin' };
    expect(findBrowser(env, only('/opt/c', '/usr/bin/chromium'))).toBe('/opt/c');
  });

  it('does not fall back when CHROMIUM_PATH is wrong', () => {
    expect(findBrowser({ CHROMIUM_PATH: '/gone', PATH: '/usr/bin' }, only('/usr/bin/chromium'))).toBeNull();
  });

  it('searches PATH, then the usual locations', () => {
    expect(findBrowser({ PATH: '/a:/b' }, only('/b/google-chrome'))).toBe('/b/google-chrome');
    expect(findBrowser({ PATH: '' }, only('/snap/bin/chromium'))).toBe('/snap/bin/chromium');
    expect(findBrowser({ PATH: '' }, only())).toBeNull();
  });
});

describe('findFirefox', () => {
  it('prefers FIREFOX_PATH and does not fall back when it is wrong', () => {
    const env = { FIREFOX_PATH: '/opt/f', PATH: '/usr/bin' };
    expect(findFirefox(env, only('/opt/f', '/usr/bin/firefox-esr'))).toBe('/opt/f');
    expect(findFirefox(env, only('/usr/bin/firefox-esr'))).toBeNull();
  });

  it('searches PATH, then the usual locations, for the long-term release first', () => {
    expect(findFirefox({ PATH: '/a' }, only('/a/firefox', '/usr/bin/firefox-esr'))).toBe(
      '/usr/bin/firefox-esr',
    );
    expect(findFirefox({ PATH: '/a:/b' }, only('/b/firefox'))).toBe('/b/firefox');
    const onMac = '/Applications/Firefox.app/Contents/MacOS/firefox';
    expect(findFirefox({ PATH: '' }, only(onMac))).toBe(onMac);
    expect(findFirefox({ PATH: '' }, only('/usr/bin/chromium'))).toBeNull();
  });
});

describe('findShell', () => {
  it('finds only the shell next to the browser', () => {
    const isThere = only('/usr/bin/chromium-headless-shell');
    expect(findShell('/usr/bin/chromium', isThere)).toBe('/usr/bin/chromium-headless-shell');
    expect(findShell('/opt/chrome/chrome', isThere)).toBeNull();
  });
});
