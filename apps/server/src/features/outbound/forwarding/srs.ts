/**
 * The Sender Rewriting Scheme: the envelope sender of a forwarded message becomes an address at our
 * domain that contains the original. SPF then passes at the destination, and bounces come back
 * through us. Addresses are signed and dated: only this service can create them, and they expire.
 *
 *   SRS0=HHHHHHHH=TT=domain=local@ours           of local@domain
 *   SRS1=HHHHHHHH=host==HHHH=TT=domain=local@ours of a sender that another forwarder made into
 *   SRS0=HHHH=TT=domain=local@host
 *
 * H is base32 of 40 bits of an HMAC under the master key. The convention is four characters of
 * base64, which amount to 20 bits once servers on the way have changed the case. T is the day
 * modulo 1024, in base32. H covers the full day number, even in SRS1, which does not show it.
 */
import { timingSafeEqual } from 'node:crypto';
import { asciiDomain } from '@keyfold/mail/address-form';
import { isValidAddress } from '@keyfold/mail/addresses';
import { SRS_DAYS } from '../../../base/limits.ts';
import type { MasterKey } from '../../../base/master-key.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const MAC_CHARACTERS = 8;
const DAY_MS = 86_400_000;
/** Number of values of two base32 characters. */
const STAMPS = 1024;
/** Number of days a stamp may be ahead, because another machine's clock may have created it. */
const DAYS_AHEAD = 1;
/** RFC 5321 §4.5.3.1.1. */
const LOCAL_MAX = 64;

const SRS0 = /^srs0[=+-]([a-z2-7]{8})=([a-z2-7]{2})=([^=]+)=(.+)$/i;
const SRS1 = /^srs1[=+-]([a-z2-7]{8})=([^=]+)=([=+-].+)$/i;
/** Local parts created by other forwarders. */
const FOREIGN_SRS0 = /^srs0([=+-].+)$/i;
const FOREIGN_SRS1 = /^srs1[=+-][^=]+=([^=]+)=([=+-].+)$/i;
/** An unquoted ASCII local part (RFC 5321 §4.1.2). */
const PLAIN_LOCAL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/i;

type Srs = {
  /**
   * Returns the sender for a message forwarded from one of our domains, or null when the original
   * cannot be represented: a local part that is quoted, internationalized or too long. Such
   * messages are sent with the null sender.
   */
  readonly wrap: (sender: string, ownDomain: string, now: Date) => string | null;
  /**
   * Returns the original sender of a rewritten address, or null when we did not create it or it has
   * expired.
   */
  readonly unwrap: (address: string, now: Date) => string | null;
};

/** Returns whether a local part looks like an SRS address. */
export const isSrsShaped = (address: string): boolean => /^srs[01][=+-]/i.test(address);

function splitAddress(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return {
    local: address.slice(0, Math.max(0, at)),
    domain: asciiDomain(address.slice(at + 1)).toLowerCase(),
  };
}

const dayOf = (now: Date): number => Math.floor(now.getTime() / DAY_MS);

function stampOf(day: number): string {
  const stamp = day % STAMPS;
  return `${ALPHABET[Math.floor(stamp / 32)]}${ALPHABET[stamp % 32]}`;
}

/** Returns the day of a stamp within the valid period, or null. */
function dayOfStamp(stamp: string, today: number): number | null {
  const given = stamp.toUpperCase();
  for (let day = today + DAYS_AHEAD; day >= today - SRS_DAYS; day--) if (stampOf(day) === given) return day;
  return null;
}

function base32(bytes: Uint8Array): string {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let left = bytes.length * 8 - 5; left >= 0; left -= 5)
    text += ALPHABET[Number((bits >> BigInt(left)) & 31n)];
  return text;
}

export function createSrs(masterKey: MasterKey): Srs {
  /** Ignores case, because servers on the way may change it. */
  const macOf = (...parts: readonly string[]): string => {
    const mac = masterKey.digest('forwarded sender', ...parts.map(part => part.toLowerCase()));
    return base32(mac.subarray(0, (MAC_CHARACTERS * 5) / 8));
  };
  const isRight = (given: string, expected: string): boolean =>
    timingSafeEqual(Buffer.from(given.toUpperCase()), Buffer.from(expected));

  const wrapLocal = ({ local, domain }: ReturnType<typeof splitAddress>, ownDomain: string, day: number) => {
    const again = FOREIGN_SRS1.exec(local);
    const first = FOREIGN_SRS0.exec(local);
    const [host, rest] = again === null ? [domain, first?.[1]] : [again[1]?.toLowerCase() ?? '', again[2]];
    if (rest !== undefined) return `SRS1=${macOf('1', ownDomain, String(day), host, rest)}=${host}=${rest}`;
    return `SRS0=${macOf('0', ownDomain, String(day), domain, local)}=${stampOf(day)}=${domain}=${local}`;
  };

  const unwrapFirst = (local: string, ownDomain: string, today: number): string | null => {
    const [, mac, stamp, domain, original] = SRS0.exec(local) ?? [];
    if (!(mac && stamp && domain && original)) return null;
    const day = dayOfStamp(stamp, today);
    if (day === null) return null;
    return isRight(mac, macOf('0', ownDomain, String(day), domain, original))
      ? `${original}@${domain}`
      : null;
  };

  const unwrapAgain = (local: string, ownDomain: string, today: number): string | null => {
    const [, mac, host, rest] = SRS1.exec(local) ?? [];
    if (!(mac && host && rest)) return null;
    let isOurs = false;
    for (let day = today + DAYS_AHEAD; day >= today - SRS_DAYS; day--)
      isOurs = isRight(mac, macOf('1', ownDomain, String(day), host, rest)) || isOurs;
    return isOurs ? `SRS0${rest}@${host}` : null;
  };

  return {
    wrap: (sender, ownDomain, now) => {
      const parts = splitAddress(sender);
      if (!PLAIN_LOCAL.test(parts.local) || !isValidAddress(sender)) return null;
      const local = wrapLocal(parts, ownDomain, dayOf(now));
      return local.length > LOCAL_MAX ? null : `${local}@${ownDomain}`;
    },
    unwrap: (address, now) => {
      const { local, domain } = splitAddress(address);
      const today = dayOf(now);
      const original = unwrapFirst(local, domain, today) ?? unwrapAgain(local, domain, today);
      return original !== null && isValidAddress(original) ? original : null;
    },
  };
}
