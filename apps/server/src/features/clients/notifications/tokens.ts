/**
 * Device tokens: the form that each kind requires, and their storage. Tokens and device
 * descriptions are sealed under the master key, and tokens are looked up by a digest.
 */
import type { PushDevice, PushPlatform } from '@keyfold/contract';
import { PUSH_KINDS, type PushKind } from '../../../adapters/push.ts';
import { findSubscription } from '../../../adapters/push-web.ts';
import type { Deps } from '../../../context/deps.ts';
import type { DeviceRow } from './store.ts';

type KeyDeps = Pick<Deps, 'masterKey'>;
type Words = PushDevice['device_info'];

/** Push kind of each platform. */
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

/** Returns the kinds that this server can push to. */
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

/** Returns whether a text has the form of a token of this kind. */
export const isToken = (kind: PushKind, token: string): boolean => FORMS[kind](token);

/** Returns a token in canonical form for lookup and storage, however a client writes it. */
function spell(token: string): string {
  const subscription = findSubscription(token);
  if (subscription !== null) return JSON.stringify(subscription);
  return APNS_FORM.test(token) ? token.toLowerCase() : token;
}

const TOKEN = 'push token';
const WORDS = 'push device';

/** Returns the digest by which a device is looked up. */
export const digestOf = ({ masterKey }: KeyDeps, token: string): Buffer =>
  masterKey.digest(TOKEN, spell(token));

/** Returns the columns for a device's token and description. */
export function sealDevice(deps: KeyDeps, token: string, words: Words) {
  const hash = digestOf(deps, token);
  const context = hash.toString('hex');
  return {
    token_hash: hash,
    token_sealed: deps.masterKey.seal(TOKEN, context, Buffer.from(spell(token))),
    words_sealed: deps.masterKey.seal(WORDS, context, Buffer.from(JSON.stringify(words))),
  };
}

/** Returns the token of a device. Throws when another server sealed it. */
export const openToken = (
  { masterKey }: KeyDeps,
  row: Pick<DeviceRow, 'token_hash' | 'token_sealed'>,
): string => masterKey.open(TOKEN, row.token_hash.toString('hex'), row.token_sealed).toString('utf8');

/** Returns the description that a device gave of itself. Throws when another server sealed it. */
export const openWords = (
  { masterKey }: KeyDeps,
  row: Pick<DeviceRow, 'token_hash' | 'words_sealed'>,
): Words =>
  JSON.parse(masterKey.open(WORDS, row.token_hash.toString('hex'), row.words_sealed).toString('utf8'));
