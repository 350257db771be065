import { readFileSync } from 'node:fs';
import { APP_LINK_PATHS, assetLinksOf, isAppLink, siteAssociationOf } from '@keyfold/contract/app-links';
import { expect, test } from 'vitest';
import { readLink } from './links.ts';

const read = (text: string, isFileShared = false) => readLink(text, 'mail.example', isFileShared);
const hash = (text: string) => ({ kind: 'hash', hash: text });

test('links with /email/, /calendar/ and /security lead to hash targets, in the app scheme and at the server', () => {
  for (const start of ['keyfold://', 'keyfold:///', 'keyfold://open/', 'https://mail.example/app/']) {
    expect(read(`${start}email/01-ab_C`)).toEqual(hash('#/email/01-ab_C'));
    expect(read(`${start}calendar/uid%40there`)).toEqual(hash('#/calendar/event/uid%40there'));
    expect(read(`${start}calendar/event/uid%40there`)).toEqual(hash('#/calendar/event/uid%40there'));
    expect(read(`${start}security`)).toEqual(hash('#/security'));
    expect(read(`${start}security/sessions`)).toEqual(hash('#/security'));
  }
  expect(read('https://mail.example/app/inbox#/email/5')).toEqual(hash('#/email/5'));
  expect(read('keyfold://x/#/calendar/event/u')).toEqual(hash('#/calendar/event/u'));
});

test('an address copied from the browser leads to the message or event that it shows', () => {
  const at = (path: string) => read(`https://mail.example${path}`);
  expect(at('/app/inbox/all/0?m=01-ab_C')).toEqual(hash('#/email/01-ab_C'));
  expect(at('/app/inbox?m=5&m=6')).toEqual(hash('#/email/5'));
  expect(at('/app/inbox/sent/2')).toEqual(hash('#/inbox'));
  // A user's tag may have the name of another page.
  expect(at('/app/inbox/email/0')).toEqual(hash('#/inbox'));
  expect(at('/app/inbox/calendar/0?m=5')).toEqual(hash('#/email/5'));
  expect(at('/app/inbox/all/0?m=')).toEqual(hash('#/inbox'));
  expect(at(`/app/inbox/all/0?m=${'a'.repeat(1001)}`)).toEqual(hash('#/inbox'));
  expect(at('/app/inbox/all/0?m=..%2F..%2Fconfig')).toEqual(hash('#/email/..%2F..%2Fconfig'));
  expect(at('/app/event/uid%40there')).toEqual(hash('#/calendar/event/uid%40there'));
  expect(at('/app/security/email/5')).toEqual(hash('#/security'));
});

test('a page without a screen in the app is left to a browser, and its secret is dropped', () => {
  for (const path of [
    '/',
    '/#/email/5',
    '/email/5',
    '/app',
    '/app/signin',
    '/app/signup#invite=secret',
    '/app/signup#code=secret',
    '/app/reset#reset=secret',
    '/app/rsvp#answer=secret',
    '/app/config/domains',
    '/app/config/subscription?paid',
    '/app/securityx',
    '/app/inbox/../reset#reset=secret',
    '/app/%69nbox',
  ])
    expect(read(`https://mail.example${path}`), path).toEqual({ kind: 'page' });
});

test('any other or malformed app link leads to the inbox', () => {
  for (const rest of [
    '',
    'zzz',
    'inbox',
    'email',
    'email/',
    'email/%E0%A4%A',
    'email/%00',
    `email/${'a'.repeat(1001)}`,
    'calendar/event',
  ])
    expect(read(`keyfold://${rest}`), rest).toEqual(hash('#/inbox'));
});

test('an id cannot become another part of the address', () => {
  expect(read('keyfold://email/..%2F..%2Fconfig%3Fx%23y')).toEqual(hash('#/email/..%2F..%2Fconfig%3Fx%23y'));
  expect(read('keyfold://email/5?m=6#z')).toEqual(hash('#/email/5'));
  expect(read('https://mail.example/app/inbox/../email/5')).toEqual(hash('#/email/5'));
});

test('another server is named and not opened, including another port and a lookalike', () => {
  expect(read('https://evil.example/email/5')).toEqual({ kind: 'foreign', host: 'evil.example' });
  expect(read('https://mail.example:444/email/5')).toEqual({ kind: 'foreign', host: 'mail.example:444' });
  expect(read('https://mail.example@evil.example/email/5')).toEqual({
    kind: 'foreign',
    host: 'evil.example',
  });
});

test('a link that no program may open is dropped', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'http://mail.example/email/5',
    'content://x/y',
    'file:///data/secret',
    'blob:https://mail.example/5',
    'keyfold',
    '',
    '//mail.example/email/5',
  ])
    expect(read(text), text).toBeNull();
});

test('a scheme that the shell would not recognize is dropped', () => {
  const rest = '://letter?to=a%40x.example&file=content%3A%2F%2Fapp.keyfold.mail.fileprovider%2Fown';
  expect(read(`keyfold-share${rest}`)?.kind).toBe('letter');
  for (const text of [
    ' keyfold-share',
    '\nkeyfold-share',
    '\u0000keyfold-share',
    '\u001fkeyfold-share',
    'keyfold-\tshare',
    'keyfold-share\r',
    '\u00a0keyfold-share',
  ])
    expect(read(`${text}${rest}`), JSON.stringify(text)).toBeNull();
  // Spaces after the scheme are left to the other program.
  expect(read('mailto:a@x.example?subject=Hi there')?.kind).toBe('letter');
});

test('shared content becomes a draft with its people, text and files, and nothing else', () => {
  expect(
    read(
      'keyfold-share://letter?to=a%40x.example&to=b%40x.example&cc=c%40x.example&subject=Hi%20%26%20ho&text=One%0ATwo&file=content%3A%2F%2Fphotos%2F1&file=file%3A%2F%2F%2Fdata%2Fown',
    ),
  ).toEqual({
    kind: 'letter',
    mailto: 'mailto:a%40x.example,b%40x.example?cc=c%40x.example&subject=Hi%20%26%20ho&body=One%0ATwo',
    files: ['content://photos/1'],
  });
  expect(read('mailto:a@x.example?subject=Hi')).toEqual({
    kind: 'letter',
    mailto: 'mailto:a@x.example?subject=Hi',
    files: [],
  });
  expect(read('file:///private/Inbox/a.pdf', true)).toEqual({
    kind: 'letter',
    mailto: 'mailto:',
    files: ['file:///private/Inbox/a.pdf'],
  });
});

test('the manifest, the server’s app files and the link reader accept exactly the listed pages', () => {
  const shell = new URL('../../../mobile/', import.meta.url);
  const manifest = readFileSync(new URL('android/app/src/main/AndroidManifest.xml', shell), 'utf8');
  const { app_id: id } = JSON.parse(readFileSync(new URL('identity.json', shell), 'utf8')) as {
    app_id: string;
  };
  const [, filter = ''] =
    /<intent-filter android:autoVerify="true">(.*?)<\/intent-filter>/s.exec(manifest) ?? [];
  const claimed = (name: string) =>
    [...filter.matchAll(new RegExp(`<data android:${name}="([^"]*)" />`, 'g'))].map(
      ([, value = '']) => value,
    );
  const [paths, prefixes] = [claimed('path'), claimed('pathPrefix')];
  expect(paths).toEqual([...APP_LINK_PATHS]);
  expect(prefixes).toEqual(APP_LINK_PATHS.map(path => `${path}/`));
  const isOnAndroid = (path: string) =>
    paths.includes(path) || prefixes.some(prefix => path.startsWith(prefix));

  // iOS: a rule with only a path matches regardless of anything after `?` and `#`.
  const association = siteAssociationOf([`A1B2C3D4E5.${id}`]).applinks.details;
  expect(association.map(({ appIDs }) => appIDs)).toEqual([[`A1B2C3D4E5.${id}`]]);
  const patterns = association.flatMap(({ components }) => components.map(one => one['/']));
  const isOnIos = (path: string) =>
    patterns.some(one => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one));

  expect(assetLinksOf([{ id, fingerprints: ['14:6D'] }])).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: { namespace: 'android_app', package_name: id, sha256_cert_fingerprints: ['14:6D'] },
    },
  ]);

  const others = ['reset', 'signup', 'signin', 'recover', 'rsvp', 'compose', 'admin', 'config/domains'];
  for (const path of [
    ...APP_LINK_PATHS.flatMap(one => [one, `${one}/`, `${one}/x/0`, `${one}x`]),
    ...others.map(page => `/app/${page}`),
    ...['/', '/app', '/link'],
  ]) {
    const isRead = read(`https://mail.example${path}`)?.kind === 'hash';
    const isListed = isAppLink(path);
    expect([path, isOnAndroid(path), isOnIos(path), isRead]).toEqual([path, isListed, isListed, isListed]);
  }
});
