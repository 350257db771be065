/**
 * The only reader of the environment: parses it into a frozen Config (docs/configuration.md).
 * Invalid values abort the start with one clear line per mistake; absent ones use the defaults.
 * setting-texts.ts describes each setting.
 */
import path from 'node:path';
import type { AndroidApp } from '@keyfold/contract/app-links';
import { z } from 'zod';
import {
  findPortProblem,
  ipAddress,
  isOrigin,
  port,
  type RelyingParty,
  relyingPartyOf,
} from './addresses.ts';
import { commaList } from './comma-list.ts';
import { ConfigError } from './config-error.ts';
import { type ForwardRule, findForwardProblem, forwardEnvironment } from './forwarding.ts';
import {
  findHttpsProblem,
  type HttpsConfig,
  httpsEnvironment,
  httpsUrlOf,
  readHttpsConfig,
} from './https.ts';
import { type ImapConfig, imapEnvironment, readImapConfig } from './imap.ts';
import { findMxProblem, HOSTNAME, type MxConfig, mxEnvironment, readMxConfig } from './mx.ts';
import { isNetworkText } from './networks.ts';
import { findPaymentProblem, type PaymentConfig, paymentEnvironment, readPaymentConfig } from './payments.ts';
import { type ApnsConfig, type FcmConfig, readApns, readFcm, type VapidConfig } from './push.ts';
import { isSafeOrigin } from './safe-address.ts';
import {
  androidAppsOf,
  isAndroidApp,
  isIosApp,
  readSiteConfig,
  type SiteConfig,
  siteEnvironment,
} from './site.ts';
import {
  findStorageProblem,
  readStorageConfig,
  type StorageConfig,
  storageEnvironment,
  url,
} from './storage.ts';
import { findTlsProblem, isForName, readTlsConfig, type TlsConfig, tlsEnvironment } from './tls.ts';
import { readTransferConfig, type TransferConfig, transferEnvironment } from './transfer.ts';
import { findUnknownSettings } from './unknown-settings.ts';

const ROLES = ['http', 'smtp', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const HOST_PORT = /^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/;

/**
 * Names that never exist in the public DNS (RFC 2606, RFC 6761): a service under one is a local
 * trial.
 */
const RESERVED_NAME = /(^|\.)(test|example|invalid|localhost)$/;

/** The environment variables; `npm run configuration` lists them for operators. */
export const settingsSchema = z.object({
  PORT: port(8000),
  // HTTP has no TLS of its own, so operators must explicitly expose it beyond this machine.
  KEYFOLD_HOST: z.string().default('127.0.0.1'),
  KEYFOLD_SMTP_HOST: z.string().optional(),
  SMTP_PORT: port(2525),
  METRICS_PORT: port(9464),
  METRICS_HOST: ipAddress('127.0.0.1'),
  KEYFOLD_DOMAINS: z
    .string()
    .default('keyfold.test')
    .transform(text => commaList(text.toLowerCase()))
    .refine(names => names.length > 0 && names.every(name => HOSTNAME.test(name)), {
      message: 'must be a comma list of domain names',
    }),
  KEYFOLD_SIGNUP_DOMAINS: z
    .string()
    .transform(text => commaList(text.toLowerCase()))
    .refine(names => names.length > 0, { message: 'must be a comma list of domain names' })
    .optional(),
  KEYFOLD_SIGNUP: z.enum(['open', 'invitation'], { message: 'must be open or invitation' }).default('open'),
  KEYFOLD_SIGNUPS_PER_HOUR: z
    .string()
    .default('2000')
    .refine(text => /^\d{1,7}$/.test(text), 'must be a whole number (0 = unlimited)')
    .transform(Number),
  KEYFOLD_WELCOME: z.enum(['on', 'off'], { message: 'must be on or off' }).default('on'),
  KEYFOLD_HOSTNAME: z.string().regex(HOSTNAME, 'must be a host name').optional(),
  KEYFOLD_URL: url(['http:', 'https:']),
  KEYFOLD_DATA: z.string().min(1).default('./data'),
  ...storageEnvironment,
  SMTP_RELAY: url(['smtp:', 'smtps:']),
  KEYFOLD_MX_PORT: port(25),
  KEYFOLD_MOVE_TO: z.string().optional(),
  KEYFOLD_ALLOW_PRIVATE_MX: z.enum(['true', 'false'], { message: 'must be true or false' }).optional(),
  ...imapEnvironment,
  ...transferEnvironment,
  ...forwardEnvironment,
  ...mxEnvironment,
  ...siteEnvironment,
  DNS_SERVERS: z
    .string()
    .default('')
    .transform(commaList)
    .refine(servers => servers.every(server => HOST_PORT.test(server)), {
      message: 'must be a comma list of host:port',
    }),
  RSPAMD_URL: url(['http:', 'https:']).refine(
    text => text === undefined || !/[@?#]/.test(text),
    'must be a URL without a name, a password, ? or #',
  ),
  ...paymentEnvironment,
  FCM_CREDENTIALS: z.string().optional(),
  FCM_API_BASE: z
    .string()
    .refine(isSafeOrigin, 'must be https:// and a host without a path, or http:// on this machine')
    .default('https://fcm.googleapis.com'),
  APNS_KEY_FILE: z.string().optional(),
  APNS_KEY_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'must be a 10-character Apple key id')
    .optional(),
  APNS_TEAM_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'must be a 10-character Apple team id')
    .optional(),
  APNS_TOPIC: z
    .string()
    .regex(/^[A-Za-z0-9.-]{3,155}$/, 'must be the bundle id of the app')
    .optional(),
  APNS_API_BASE: z
    .string()
    .refine(isSafeOrigin, 'must be https:// and a host without a path, or http:// on this machine')
    .default('https://api.push.apple.com'),
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^B[A-Za-z0-9_-]{86}$/, 'must be 65 bytes as base64url')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url')
    .optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:|https:\/\/)\S+$/, 'must be a mailto: or https:// address')
    .optional(),
  KEYFOLD_WEB_PUSH: z.enum(['true', 'false'], { message: 'must be true or false' }).default('true'),
  KEYFOLD_ANDROID_APPS: z
    .string()
    .default('')
    .transform(commaList)
    .refine(apps => apps.every(isAndroidApp), {
      message: 'must be a comma list of application id=SHA-256 fingerprint of its certificate (AA:BB:…)',
    }),
  KEYFOLD_IOS_APPS: z
    .string()
    .default('')
    .transform(commaList)
    .refine(apps => apps.every(isIosApp), {
      message: 'must be a comma list of team.bundle identifier, such as A1B2C3D4E5.app.keyfold.mail',
    }),
  KEYFOLD_ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform(commaList)
    .pipe(z.array(z.enum(ROLES, { message: `must be a comma list of ${ROLES.join(', ')}` })).min(1)),
  KEYFOLD_CAPTCHA_COST: z
    .string()
    .default('1000')
    .refine(text => /^\d{1,7}$/.test(text), 'must be a whole number (0 = disabled)')
    .transform(Number),
  KEYFOLD_LOG: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  KEYFOLD_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(commaList)
    .refine(proxies => proxies.every(isNetworkText), {
      message: 'must be a comma list of addresses and networks, such as 172.18.0.0/16',
    }),
  ...tlsEnvironment,
  ...httpsEnvironment,
});

export type Config = ImapConfig &
  MxConfig &
  PaymentConfig &
  SiteConfig &
  StorageConfig &
  TlsConfig &
  TransferConfig & {
    readonly httpPort: number;
    /** HTTPS of this server itself; null: a proxy provides it. */
    readonly https: HttpsConfig | null;
    /** Address or host name to listen on. */
    readonly httpHost: string;
    /** Undefined: all addresses of both families. */
    readonly smtpHost: string | undefined;
    readonly smtpPort: number;
    /** Port of the metrics listener; 0 picks a free one. */
    readonly metricsPort: number;
    /** IP address of the metrics listener: loopback by default. */
    readonly metricsHost: string;
    /** Domains that this service hosts; the first is the service's primary domain. */
    readonly domains: readonly string[];
    /** Those of the domains that accept new accounts; undefined: all of them. */
    readonly signupDomains: readonly string[] | undefined;
    /** Whether a new account requires an invitation code. */
    readonly isInvitationNeeded: boolean;
    /** Maximum sign-ups per hour for the whole service; 0: unlimited. */
    readonly signupsPerHour: number;
    /** Whether new accounts get a welcome message and a checklist. */
    readonly isWelcomeSent: boolean;
    /**
     * Role addresses of those domains whose mail the operator forwards to external addresses; none
     * by default.
     */
    readonly forwards: readonly ForwardRule[];
    /** Name in this machine's greeting to other mail servers. */
    readonly hostname: string;
    /** URL of the web client as users type it. */
    readonly publicUrl: string;
    /** Null when the host is an IP address, for which browsers create no passkeys. */
    readonly relyingParty: RelyingParty | null;
    readonly dataDir: string;
    readonly smtpRelay: string | undefined;
    /** Target to which the operator's tool moves the embedded database. */
    readonly moveTo: string | undefined;
    /** Port for connections to other mail servers: 25 except in trials. */
    readonly mxPort: number;
    /**
     * Whether mail may be delivered to servers at loopback and private addresses; enabled under a
     * reserved name such as .test.
     */
    readonly isPrivateMxAllowed: boolean;
    readonly dnsServers: readonly string[];
    /** URL of the rspamd that scans incoming mail; undefined: mail is not scanned. */
    readonly rspamdUrl: string | undefined;
    /** Push services that notify devices. Undefined or false values disable a service. */
    readonly push: {
      readonly fcm: FcmConfig | undefined;
      readonly apns: ApnsConfig | undefined;
      /** Browsers and UnifiedPush. */
      readonly isWebOn: boolean;
      /** Undefined keys: those that this server created for itself. */
      readonly vapid: VapidConfig;
    };
    /** Apps that may open this server's links; site-files.ts publishes them for Android and iOS. */
    readonly androidApps: readonly AndroidApp[];
    readonly iosApps: readonly string[];
    readonly roles: readonly Role[];
    /** Hash iterations per proof-of-work step; 0 disables the check. */
    readonly captchaCost: number;
    readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
    /**
     * Addresses and networks of proxies, in addition to those of this machine, that are trusted to
     * report the client's address.
     */
    readonly trustedProxies: readonly string[];
  };

type Environment = z.output<typeof settingsSchema>;

const readPush = (e: Environment): Config['push'] =>
  Object.freeze({
    fcm: readFcm(e),
    apns: readApns(e),
    isWebOn: e.KEYFOLD_WEB_PUSH === 'true',
    vapid: Object.freeze({
      subject: e.VAPID_SUBJECT ?? `mailto:postmaster@${e.KEYFOLD_DOMAINS[0]}`,
      keys:
        e.VAPID_PUBLIC_KEY && e.VAPID_PRIVATE_KEY
          ? { publicKey: e.VAPID_PUBLIC_KEY, privateKey: e.VAPID_PRIVATE_KEY }
          : undefined,
    }),
  });

/** Returns a one-line description of push settings that are incomplete; null when none are. */
function findPushProblem(e: Environment): string | null {
  const apnsParts = [e.APNS_KEY_FILE, e.APNS_KEY_ID, e.APNS_TEAM_ID, e.APNS_TOPIC];
  if (new Set(apnsParts.map(part => part === undefined)).size > 1)
    return 'APNS_KEY_FILE: requires APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC';
  return (e.VAPID_PUBLIC_KEY === undefined) !== (e.VAPID_PRIVATE_KEY === undefined)
    ? 'VAPID_PUBLIC_KEY: requires VAPID_PRIVATE_KEY'
    : null;
}

/** Reads a Config from environment variables. Throws ConfigError. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settingsSchema.safeParse(given);
  const lines = [
    ...findUnknownSettings(env, Object.keys(settingsSchema.shape)),
    // For other settings an empty text means the default, but no operator wants mail for the
    // default domain.
    ...(env.KEYFOLD_DOMAINS === '' ? ['KEYFOLD_DOMAINS: must not be empty'] : []),
    ...(parsed.error?.issues ?? []).map(issue => `${String(issue.path[0])}: ${issue.message}`),
  ];
  if (!parsed.success || lines.length > 0) throw new ConfigError([...new Set(lines)].join('\n'));
  const e = parsed.data;
  const storageProblem = findStorageProblem(e);
  if (storageProblem !== null) throw new ConfigError(storageProblem);
  const paymentProblem = findPaymentProblem(e);
  if (paymentProblem !== null) throw new ConfigError(paymentProblem);
  const notOurs = (e.KEYFOLD_SIGNUP_DOMAINS ?? []).find(name => !e.KEYFOLD_DOMAINS.includes(name));
  if (notOurs !== undefined) {
    throw new ConfigError(`KEYFOLD_SIGNUP_DOMAINS: ${notOurs} is not one of KEYFOLD_DOMAINS`);
  }
  const pushProblem = findPushProblem(e);
  if (pushProblem !== null) throw new ConfigError(pushProblem);
  const hostname = e.KEYFOLD_HOSTNAME ?? `mail.${e.KEYFOLD_DOMAINS[0]}`;
  const forwardProblem = findForwardProblem(e.KEYFOLD_FORWARD, [hostname, ...e.KEYFOLD_DOMAINS]);
  if (forwardProblem !== null) throw new ConfigError(forwardProblem);
  const tlsProblem = findTlsProblem(e) ?? findHttpsProblem(e);
  if (tlsProblem !== null) throw new ConfigError(tlsProblem);
  const tls = readTlsConfig(e);
  const https = readHttpsConfig(e, e.KEYFOLD_DOMAINS[0] ?? '');
  const { tlsFiles } = tls;
  const isIssued = https !== null && https.acme !== null;
  const mx = readMxConfig(e, hostname, tlsFiles !== undefined || isIssued);
  const certificateNames = tlsFiles === undefined ? null : (name: string) => isForName(tlsFiles, name);
  // ACME provides a certificate for every one of the names.
  const isOwn = e.KEYFOLD_ROLES.includes('smtp') && !isIssued;
  const mxProblem = isOwn ? findMxProblem(mx, hostname, certificateNames) : null;
  if (mxProblem !== null) throw new ConfigError(mxProblem);
  const portProblem = findPortProblem(e);
  if (portProblem !== null) throw new ConfigError(portProblem);
  if (e.KEYFOLD_URL !== undefined && !isOrigin(e.KEYFOLD_URL))
    throw new ConfigError('KEYFOLD_URL: must be a URL without a path, such as https://mail.example.org');
  const ownUrl = https === null ? `http://localhost:${e.PORT}` : httpsUrlOf(https, hostname);
  const publicUrl = (e.KEYFOLD_URL ?? ownUrl).replace(/\/+$/, '');
  return Object.freeze({
    httpPort: e.PORT,
    httpHost: e.KEYFOLD_HOST,
    https,
    smtpHost: e.KEYFOLD_SMTP_HOST,
    smtpPort: e.SMTP_PORT,
    metricsPort: e.METRICS_PORT,
    metricsHost: e.METRICS_HOST,
    domains: Object.freeze(e.KEYFOLD_DOMAINS),
    signupDomains:
      e.KEYFOLD_SIGNUP_DOMAINS === undefined ? undefined : Object.freeze(e.KEYFOLD_SIGNUP_DOMAINS),
    isInvitationNeeded: e.KEYFOLD_SIGNUP === 'invitation',
    signupsPerHour: e.KEYFOLD_SIGNUPS_PER_HOUR,
    isWelcomeSent: e.KEYFOLD_WELCOME === 'on',
    forwards: Object.freeze(e.KEYFOLD_FORWARD),
    hostname,
    publicUrl,
    relyingParty: relyingPartyOf(publicUrl),
    dataDir: path.resolve(e.KEYFOLD_DATA),
    ...readStorageConfig(e),
    smtpRelay: e.SMTP_RELAY,
    moveTo: e.KEYFOLD_MOVE_TO,
    mxPort: e.KEYFOLD_MX_PORT,
    isPrivateMxAllowed:
      e.KEYFOLD_ALLOW_PRIVATE_MX === undefined
        ? RESERVED_NAME.test(e.KEYFOLD_DOMAINS[0] ?? '')
        : e.KEYFOLD_ALLOW_PRIVATE_MX === 'true',
    ...readImapConfig(e),
    ...readTransferConfig(e),
    ...readSiteConfig(e, e.KEYFOLD_DOMAINS[0]),
    dnsServers: Object.freeze(e.DNS_SERVERS),
    rspamdUrl: e.RSPAMD_URL,
    ...readPaymentConfig(e),
    push: readPush(e),
    androidApps: Object.freeze(androidAppsOf(e.KEYFOLD_ANDROID_APPS)),
    iosApps: Object.freeze(e.KEYFOLD_IOS_APPS),
    roles: Object.freeze(e.KEYFOLD_ROLES),
    captchaCost: e.KEYFOLD_CAPTCHA_COST,
    logLevel: e.KEYFOLD_LOG,
    trustedProxies: Object.freeze(e.KEYFOLD_TRUSTED_PROXIES),
    ...mx,
    ...tls,
  });
}
