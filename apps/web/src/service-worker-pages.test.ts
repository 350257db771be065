import { describe, expect, test } from 'vitest';
import { isInert, lifelessAnswer, pageAnswer } from './service-worker-pages.ts';

const answer = (headers: Record<string, string>, text = 'x') => new Response(text, { headers });
const names = ({ headers }: Response) => [...headers.keys()].sort();

describe('the start page', () => {
  test('is served as HTML without redirect, style sheet or other unsafe headers', async () => {
    const page = await pageAnswer(
      answer({
        'content-type': 'text/plain',
        refresh: '0;url=/auth/x',
        link: '<https://evil.example/x.css>;rel=stylesheet',
        'content-security-policy': "default-src 'none'",
        'clear-site-data': '"*"',
        'content-security-policy-report-only': 'report-uri https://evil.example/',
      }),
    );
    expect(await page.text()).toBe('x');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(names(page)).toEqual([
      'content-security-policy',
      'content-type',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
    ]);
  });
});

describe('any other answer', () => {
  test('runs no script and keeps its file name and status', async () => {
    const made = lifelessAnswer(
      new Response('{}', {
        status: 404,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-disposition': 'attachment; filename="a.json"',
          'content-security-policy': "script-src 'unsafe-inline'",
          refresh: '0;url=https://evil.example/',
        },
      }),
    );
    expect(made.status).toBe(404);
    expect(made.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(made.headers.get('content-security-policy')).not.toContain('script');
    expect(made.headers.get('content-disposition')).toContain('a.json');
    expect(made.headers.get('refresh')).toBeNull();
    expect(await made.text()).toBe('{}');
  });

  test('is inert only with a single inert content type', () => {
    const is = (type: string) => isInert(answer({ 'content-type': type }));
    expect(is('text/plain; charset=utf-8')).toBe(true);
    expect(is('application/json')).toBe(true);
    expect(is('image/png')).toBe(true);
    expect(is('text/html')).toBe(false);
    expect(is('image/svg+xml')).toBe(false);
    expect(is('application/json-and-more')).toBe(false);
    // Browsers use the last of several types.
    const two = answer({ 'content-type': 'text/plain, text/html' });
    expect(lifelessAnswer(two).headers.get('content-type')).toBe('text/plain');
  });
});
