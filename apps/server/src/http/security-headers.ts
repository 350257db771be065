/**
 * The headers of every reply: what the page may load (docs/interface.md#page-policy), and
 * protection against framing, content sniffing and referrers. message-frame*.html contains a
 * message's own markup: its meta policy is stricter, and must apply alone.
 */

import { pagePolicy } from '@keyfold/contract/page-policy';

const PAGE_POLICY = pagePolicy();
const MESSAGE_FRAME_POLICY = "frame-ancestors 'self'";
const HSTS_SECONDS = 2 * 365 * 24 * 60 * 60;
const FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];

const COMMON: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-permitted-cross-domain-policies': 'none',
  'permissions-policy': FEATURES.map(feature => `${feature}=()`).join(', '),
};

/**
 * Only for the start page, which displays every screen: its camera reads the code that another
 * person shows.
 */
export const START_PAGE_PERMISSIONS = FEATURES.map(
  feature => `${feature}=${feature === 'camera' ? '(self)' : '()'}`,
).join(', ');

const isMessageFrame = (path: string): boolean => /^\/message-frame[a-z-]*\.html$/.test(path);

/** Returns the headers for a reply at this path (without its query). */
export const securityHeaders = (path: string, isHttps: boolean): Readonly<Record<string, string>> => ({
  ...COMMON,
  'content-security-policy': isMessageFrame(path) ? MESSAGE_FRAME_POLICY : PAGE_POLICY,
  'x-frame-options': isMessageFrame(path) ? 'SAMEORIGIN' : 'DENY',
  ...(isHttps ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` } : {}),
});
