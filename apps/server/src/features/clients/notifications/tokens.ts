/**
 * Tokens of devices: which kind takes which form, and how they and the words about a device are kept, sealed under the master
 * key and found by a digest.
 */
import type { PushDevice, PushPlatform } from '@keyfold/contract';
import { PUSH_KINDS, type PushKind } from '../../../adapters/push.ts';
import { findSubscription } from '../../../adapters/push-web.ts';
import type { Deps } from '../../../context/deps.ts';
import type { DeviceRow } from './store.ts';

type KeyDeps = Pick<Deps, 'masterKey'>;
type Words = PushDevice['device_info'];

/** How a platform is pushed to. */
export const KIND_OF: Readonly<Record<PushPlatform, PushKind>> = {
  android: 'fcm',
  ios: 'apns',
  web: 'webpush',
  unifiedpush: 'unifiedpush',
};

const PLATFORM_OF: Readonly<Record<PushKind, PushPlatform>> = {
  fcm: 'android',
  apns: 'ios',
  webpush: 'web',
  unifiedpush: 'unifiedpush',
};

export const platformOf = (kind: PushKind): PushPlatform => PLATFORM_OF[kind];

/** Which kinds this server can push to. */
export function kindsOn({ push }: Deps['config']): PushKind[] {
  const isOn = { fcm: push.fcm, apns: push.apns, webpush: push.isWebOn, unifiedpush: push.isWebOn };
  return PUSH_KINDS.filter(kind => Boolean(isOn[kind]));
}

const APNS_FORM = /^([0-9a-fA-F]{2}){32,100}$/;
const FORMS: Readonly<Record<PushKind, (token: string) => boolean>> = {
  fcm: token => /^[A-Za-z0-9:_-]{20,4096}$/.test(token),
  apns: token => APNS_FORM.test(token),
  webpush: token => findSubscription(token) !== null,
  unifiedpush: token => findSubscription(token) !== null,
};

/** Whether a text can be a token of this kind. */
export const isToken = (kind: PushKind, token: string): boolean => FORMS[kind](token);

/** A token in the one way in which it is found and kept, however a client writes it. */
function spell(token: string): string {
  const subscription = findSubscription(token);
  if (subscription !== null) return JSON.stringify(subscription);
  return APNS_FORM.test(token) ? token.toLowerCase() : token;
}

const TOKEN = 'push token';
const WORDS = 'push device';

/** What finds a device again by its token. */
export const digestOf = ({ masterKey }: KeyDeps, token: string): Buffer =>
  masterKey.digest(TOKEN, spell(token));

/** The columns of a device's token and words. */
export function sealDevice(deps: KeyDeps, token: string, words: Words) {
  const hash = digestOf(deps, token);
  const context = hash.toString('hex');
  return {
    token_hash: hash,
    token_sealed: deps.masterKey.seal(TOKEN, context, Buffer.from(spell(token))),
    words_sealed: deps.masterKey.seal(WORDS, context, Buffer.from(JSON.stringify(words))),
  };
}

/** The token of a device. Throws when it was sealed by another server. */
export const openToken = (
  { masterKey }: KeyDeps,
  row: Pick<DeviceRow, 'token_hash' | 'token_sealed'>,
): string => masterKey.open(TOKEN, row.token_hash.toString('hex'), row.token_sealed).toString('utf8');

/** What a device said of itself. Throws likewise. */
export const openWords = (
  { masterKey }: KeyDeps,
  row: Pick<DeviceRow, 'token_hash' | 'words_sealed'>,
): Words =>
  JSON.parse(masterKey.open(WORDS, row.token_hash.toString('hex'), row.words_sealed).toString('utf8'));
