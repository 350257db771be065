import { afterEach, expect, test, vi } from 'vitest';
import { scriptUrl } from './script-url.ts';

afterEach(() => vi.unstubAllGlobals());
const at = (href: string) => vi.stubGlobal('location', new URL(href));

test.each(['https://mail.example/app/inbox', 'capacitor://localhost/app/inbox'])(
  'on a page at %s only its own scripts become script URLs',
  href => {
    at(href);
    const own = new URL('/bundle.worker.js', href).href;
    expect(scriptUrl(own)).toBe(own);
    expect(scriptUrl('/bundle.worker.js')).toBe('/bundle.worker.js');
    for (const other of [
      'https://evil.example/a.js',
      'capacitor://evil/a.js',
      'http://mail.example/a.js',
      'http://localhost/a.js',
      'https://mail.example:8443/a.js',
      'data:text/javascript,1',
      'blob:https://mail.example/1',
      'javascript:1',
    ])
      expect(() => scriptUrl(other), other).toThrow('Not one of our scripts');
  },
);
