import { describe, expect, it } from 'vitest';
import { findBrowser, findShell } from './browser.mjs';

const only =
  (...files) =>
  file =>
    files.includes(file);

describe('findBrowser', () => {
  it('takes CHROMIUM_PATH before anything else', () => {
    const env = { CHROMIUM_PATH: '/opt/c', PATH: '/usr/bin' };
    expect(findBrowser(env, only('/opt/c', '/usr/bin/chromium'))).toBe('/opt/c');
  });

  it('does not fall back silently when CHROMIUM_PATH is wrong', () => {
    expect(findBrowser({ CHROMIUM_PATH: '/gone', PATH: '/usr/bin' }, only('/usr/bin/chromium'))).toBeNull();
  });

  it('looks in PATH and then in the usual places', () => {
    expect(findBrowser({ PATH: '/a:/b' }, only('/b/google-chrome'))).toBe('/b/google-chrome');
    expect(findBrowser({ PATH: '' }, only('/snap/bin/chromium'))).toBe('/snap/bin/chromium');
    expect(findBrowser({ PATH: '' }, only())).toBeNull();
  });
});

describe('findShell', () => {
  it('takes the shell that stands beside the browser, and no other', () => {
    const isThere = only('/usr/bin/chromium-headless-shell');
    expect(findShell('/usr/bin/chromium', isThere)).toBe('/usr/bin/chromium-headless-shell');
    expect(findShell('/opt/chrome/chrome', isThere)).toBeNull();
  });
});
