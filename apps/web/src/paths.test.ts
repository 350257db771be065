import { expect, test } from 'vitest';
import { mailPath, needsLoginCheck, pathForHash, recieved } from './paths.ts';

test('the login check skips signup, signin, rsvp and link, and only those', () => {
  for (const path of ['/app/signup', '/app/signin', '/app/signin/', '/app/rsvp', '/link'])
    expect(needsLoginCheck(path)).toBe(false);
  for (const path of [
    '/',
    '/app',
    '/app/inbox/recieved/0',
    '/app/signinx',
    '/linkx',
    '/app/rsvpx',
    '/app/inbox/signin/0',
  ]) {
    expect(needsLoginCheck(path)).toBe(true);
  }
});

test('the hash targets of the app shell lead to screens', () => {
  expect(pathForHash('#/email/a%2Fb')).toBe('/app/inbox/all/0?m=a%2Fb');
  expect(pathForHash('#/calendar/event/uid@x')).toBe('/app/event/uid%40x');
  expect(pathForHash('#/security')).toBe('/app/security');
  expect(pathForHash('#/inbox')).toBe('/app/inbox');
});

test('any other hash route leads to the inbox, and a plain hash is ignored', () => {
  for (const hash of ['#/zzz', '#/', '#/email/', '#/email/%', '#/calendar/x/y', '#/calendar/event/']) {
    expect(pathForHash(hash)).toBe('/app/inbox');
  }
  expect(pathForHash('#section')).toBeNull();
  expect(pathForHash('')).toBeNull();
});

test('a tag name with a slash stays one segment', () => {
  expect(mailPath('a/b', 2)).toBe('/app/inbox/a%2Fb/2');
  expect(mailPath(recieved)).toBe('/app/inbox/recieved/0');
});
