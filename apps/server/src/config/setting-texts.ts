/**
 * Describes every setting in plain English for docs/configuration.md (`npm run configuration`).
 * Defaults and choices that the schema in config.ts declares are not repeated here.
 */
import { z } from 'zod';
import { settingsSchema } from './config.ts';

type SettingText = {
  /** What the setting does; Markdown, with links from the root of the repository. */
  readonly description: string;
  /** What a value looks like, unless the schema lists its choices. */
  readonly format?: string;
  /** The effect of an absent value, unless the schema has a default. */
  readonly fallback?: string;
};

type SettingGroup = {
  readonly title: string;
  readonly settings: Partial<Record<keyof typeof settingsSchema.shape, SettingText>>;
};

const PORT = 'port';
const DOMAINS = 'domain names, separated by commas';
const NETWORKS = 'addresses and networks, such as `172.18.0.0/16`, separated by commas';
const WHOLE_NUMBER = 'whole number';
const ORIGIN = 'URL without a path; `http://` only on this machine';
const NONE = 'none';

const SERVICE: SettingGroup = {
  title: 'Service',
  settings: {
    KEYFOLD_DOMAINS: {
      format: DOMAINS,
      description:
        'Domains whose mail this service hosts. The first one is the primary domain. An empty value is an error.',
    },
    KEYFOLD_URL: {
      format: 'URL without a path',
      fallback:
        'with `KEYFOLD_TLS`: `https://`, `KEYFOLD_HOSTNAME` and, unless it is 443, `HTTPS_PORT`; otherwise `http://localhost:` and `PORT`',
      description:
        'URL of the web client. Passkeys are bound to its host name: if you change it, they stop working.',
    },
    KEYFOLD_HOSTNAME: {
      format: 'host name',
      fallback: '`mail.` and the first domain',
      description: 'Name of this machine in its greeting to other mail servers.',
    },
    KEYFOLD_DATA: {
      format: 'folder',
      description: 'Folder for persistent data: embedded database, encrypted blobs, keys.',
    },
    KEYFOLD_ROLES: {
      format: 'any of `http`, `smtp` and `worker`, separated by commas',
      description:
        'What this process does: `http` serves the web client and the API, `smtp` receives mail, `worker` delivers mail and runs jobs.',
    },
    KEYFOLD_LOG: { description: 'Log level.' },
    KEYFOLD_SECURITY_CONTACT: {
      format: '`mailto:`, `https://` or `tel:` address',
      fallback: '`mailto:postmaster@` and the first domain',
      description: 'Contact for security reports; published in `/.well-known/security.txt`.',
    },
  },
};

const LISTENERS: SettingGroup = {
  title: 'Listeners',
  settings: {
    PORT: { format: PORT, description: 'Port of the web client and the API.' },
    KEYFOLD_HOST: {
      format: 'address or host name',
      description:
        'Address on which the web client and the API listen, without TLS. Use `0.0.0.0` or `::` only if nothing except your reverse proxy can connect.',
    },
    KEYFOLD_TRUSTED_PROXIES: {
      format: NETWORKS,
      fallback: NONE,
      description: 'Proxies whose `X-Forwarded-For` header is trusted, in addition to those on this machine.',
    },
    SMTP_PORT: { format: PORT, description: 'Port for incoming mail (SMTP). Use 25 in production.' },
    KEYFOLD_SMTP_HOST: {
      format: 'address or host name',
      fallback: 'all IPv6 and IPv4 addresses',
      description: 'Address on which the server listens for incoming mail.',
    },
    METRICS_PORT: { format: PORT, description: 'Port of the Prometheus metrics.' },
    METRICS_HOST: {
      format: 'IP address',
      description:
        'Address on which metrics are served. Anyone who can connect can read them, so keep it inside your network.',
    },
  },
};

const HTTPS: SettingGroup = {
  title: 'HTTPS',
  settings: {
    KEYFOLD_TLS: {
      description:
        'Whether this server provides HTTPS itself. `acme` gets certificates from a certificate authority and renews them; by setting it, you agree to the terms of that authority. `files` uses the certificate in `TLS_CERT_FILE`. `off` leaves HTTPS to a reverse proxy. Must be the same on all machines ([Certificates](docs/operations.md#certificates)).',
    },
    HTTPS_PORT: { format: PORT, description: 'Port of HTTPS, with HTTP/2.' },
    HTTP_PORT: {
      format: PORT,
      description:
        'Port that answers the authority’s challenges and redirects to HTTPS. The authority always connects to port 80: if you set another port, redirect port 80 to it. Every machine listens on it, whatever its roles.',
    },
    KEYFOLD_HTTPS_HOST: {
      format: 'address or host name',
      fallback: 'all IPv6 and IPv4 addresses',
      description: 'Address on which `HTTPS_PORT` and `HTTP_PORT` listen.',
    },
    KEYFOLD_ACME_DIRECTORY: {
      format: 'URL; `http://` only on this machine',
      description: 'Directory of the certificate authority (Let’s Encrypt by default).',
    },
    KEYFOLD_ACME_CONTACT: {
      format: 'e-mail address',
      fallback: '`postmaster@` and the first domain',
      description: 'Address to which the authority may write about your certificates.',
    },
    KEYFOLD_ACME_KEY_ID: {
      format: 'text',
      fallback: NONE,
      description:
        'Key ID of your account with the authority (external account binding), if it requires one.',
    },
    KEYFOLD_ACME_HMAC_KEY: {
      format: 'base64url',
      fallback: NONE,
      description: 'HMAC key that belongs to `KEYFOLD_ACME_KEY_ID`.',
    },
  },
};

const ACCOUNTS: SettingGroup = {
  title: 'Accounts',
  settings: {
    KEYFOLD_SIGNUP: {
      description: 'Whether anyone can create an account, or only people with an invitation code.',
    },
    KEYFOLD_SIGNUP_DOMAINS: {
      format: DOMAINS,
      fallback: 'all of `KEYFOLD_DOMAINS`',
      description: 'Domains of `KEYFOLD_DOMAINS` that accept new accounts.',
    },
    KEYFOLD_SIGNUPS_PER_HOUR: {
      format: WHOLE_NUMBER,
      description: 'Maximum sign-ups per hour for the whole service (0 = unlimited).',
    },
    KEYFOLD_CAPTCHA_COST: {
      format: WHOLE_NUMBER,
      description: 'Work that a browser must do before a sign-up: hash iterations per step (0 = disabled).',
    },
    KEYFOLD_WELCOME: {
      description: 'Whether new accounts receive a welcome message and see a checklist.',
    },
  },
};

const STORAGE: SettingGroup = {
  title: 'Database and files',
  settings: {
    DATABASE_URL: {
      format: '`postgres://` URL',
      fallback: 'the embedded PostgreSQL',
      description:
        'Your own PostgreSQL (tested with version 18). For a primary with standbys, list all of them: `postgres://keyfold@one:5432,two:5432/keyfold`.',
    },
    KEYFOLD_MOVE_TO: {
      format: '`postgres://` URL',
      fallback: NONE,
      description: 'Target to which `npm run admin -- move-database` moves the embedded database.',
    },
    KEYFOLD_WAL_ARCHIVE: {
      format: 'absolute path of a folder',
      fallback: NONE,
      description:
        'Folder for the change archive: WAL files of the embedded PostgreSQL, and copies of encrypted blobs ([Backups](docs/operations.md#backups)).',
    },
    S3_ENDPOINT: {
      format: '`http://` or `https://` URL',
      fallback: 'files in `KEYFOLD_DATA`',
      description:
        'Object storage for encrypted blobs. Needs `S3_BUCKET`, `S3_ACCESS_KEY` and `S3_SECRET_KEY`.',
    },
    S3_BUCKET: { format: 'name', fallback: NONE, description: 'Bucket of the object storage.' },
    S3_ACCESS_KEY: { format: 'text', fallback: NONE, description: 'Access key for the bucket.' },
    S3_SECRET_KEY: { format: 'text', fallback: NONE, description: 'Secret key for the bucket.' },
    S3_REGION: { format: 'name', description: 'Region of the object storage.' },
    KEYFOLD_MOVE_FILES: {
      description:
        'Move the encrypted blobs in `KEYFOLD_DATA` to the bucket ([Moving files](docs/operations.md#moving-files-to-a-bucket)).',
    },
  },
};

const INCOMING: SettingGroup = {
  title: 'Incoming mail',
  settings: {
    TLS_CERT_FILE: {
      format: 'PEM file',
      fallback: 'a certificate by `KEYFOLD_TLS=acme`, or a self-signed one',
      description:
        'Certificate for STARTTLS and `KEYFOLD_TLS=files`, followed by those of its issuers. Needs `TLS_KEY_FILE`. Replaced files take effect without a restart.',
    },
    TLS_KEY_FILE: {
      format: 'PEM file',
      fallback: NONE,
      description: 'Private key of the certificate, without a passphrase.',
    },
    KEYFOLD_MX_NAMES: {
      format: 'host names, separated by commas',
      fallback: '`KEYFOLD_HOSTNAME`',
      description:
        'Names of the servers that receive mail, as in MX records and the MTA-STS policy. Must be the same on all machines.',
    },
    KEYFOLD_MTA_STS: {
      fallback: '`testing` with `TLS_CERT_FILE` or `KEYFOLD_TLS=acme`, otherwise `none`',
      description:
        'MTA-STS policy: `enforce` requires other servers to verify the certificate, `testing` asks them to report failures only, `none` publishes no policy. Must be the same on all machines ([MTA-STS](docs/operations.md#mta-sts)).',
    },
    KEYFOLD_ARRIVALS_PER_MINUTE: {
      format: WHOLE_NUMBER,
      description:
        'Maximum messages per minute from one network: an IPv4 address or IPv6 /64 (0 = unlimited).',
    },
    KEYFOLD_GREYLISTING: {
      description: 'Enable greylisting: defer mail from unknown servers for five minutes.',
    },
    KEYFOLD_MAIL_GATEWAYS: {
      format: NETWORKS,
      description:
        'Your own gateways, which are exempt from the limits for incoming mail and from greylisting.',
    },
    RSPAMD_URL: {
      format: '`http://` or `https://` URL',
      fallback: 'the built-in scorer',
      description: 'URL of the normal worker of an rspamd that scans incoming mail.',
    },
    KEYFOLD_FORWARD: {
      format: '`role=address`, separated by commas',
      fallback: NONE,
      description:
        'External addresses that also receive mail to role addresses of your domains, such as `abuse=ops@example.org,postmaster=ops@example.org` ([Role mail](docs/operations.md#role-mail-forwarding)). Forwarded messages leave unencrypted.',
    },
  },
};

const OUTGOING: SettingGroup = {
  title: 'Outgoing mail',
  settings: {
    SMTP_RELAY: {
      format: '`smtp://` or `smtps://` URL',
      fallback: 'direct delivery to the server of each domain',
      description: 'Relay for outgoing mail.',
    },
    DNS_SERVERS: {
      format: '`host:port`, separated by commas',
      fallback: 'the DNS servers of the system',
      description: 'DNS servers.',
    },
    KEYFOLD_DANE: {
      description:
        'Whether to honor TLSA records of other servers, if a resolver on this machine validates DNSSEC.',
    },
    KEYFOLD_SEND_WATCH: {
      description:
        'Whether to hold mail to other providers temporarily when an account shows signs of sending spam.',
    },
    KEYFOLD_RSPAMD_OUTGOING: {
      description:
        'Whether the rspamd at `RSPAMD_URL` also receives the readable messages that users send to other providers.',
    },
    KEYFOLD_DMARC_REPORTS: {
      description: 'Whether to send daily reports to domains whose DMARC record requests them.',
    },
    KEYFOLD_MX_PORT: { format: PORT, description: 'Port of other mail servers. Change it only for tests.' },
    KEYFOLD_ALLOW_PRIVATE_MX: {
      fallback: '`true` under a reserved name such as `.test`, otherwise `false`',
      description: 'Whether to deliver mail to servers at private addresses.',
    },
  },
};

const IMPORTS: SettingGroup = {
  title: 'Import from other providers',
  settings: {
    KEYFOLD_IMAP_PORTS: {
      format: 'ports, separated by commas',
      description: 'Ports of IMAP servers from which users may import mail.',
    },
    KEYFOLD_ALLOW_PRIVATE_IMAP: {
      description: 'Whether IMAP imports may connect to loopback and private addresses.',
    },
  },
};

const APPS: SettingGroup = {
  title: 'Push notifications and apps',
  settings: {
    KEYFOLD_WEB_PUSH: { description: 'Enable push notifications to browsers and over UnifiedPush.' },
    VAPID_PUBLIC_KEY: {
      format: '65 bytes as base64url',
      fallback: 'created at first use',
      description: 'Public VAPID key that browsers subscribe with. Needs `VAPID_PRIVATE_KEY`.',
    },
    VAPID_PRIVATE_KEY: {
      format: '32 bytes as base64url',
      fallback: 'created at first use',
      description: 'Private key of `VAPID_PUBLIC_KEY`.',
    },
    VAPID_SUBJECT: {
      format: '`mailto:` or `https://` address',
      fallback: '`mailto:postmaster@` and the first domain',
      description: 'Contact for the push services of browsers.',
    },
    FCM_CREDENTIALS: {
      format: 'JSON, or the path of a JSON file',
      fallback: 'no push to Android',
      description: 'Key of a Firebase service account ([Push](docs/operations.md#push)).',
    },
    FCM_API_BASE: { format: ORIGIN, description: 'Address of Firebase Cloud Messaging.' },
    APNS_KEY_FILE: {
      format: '`.p8` file',
      fallback: 'no push to iOS',
      description:
        'Apple’s push key ([Push](docs/operations.md#push)). Needs `APNS_KEY_ID`, `APNS_TEAM_ID` and `APNS_TOPIC`.',
    },
    APNS_KEY_ID: { format: '10 characters', fallback: NONE, description: 'ID of the push key.' },
    APNS_TEAM_ID: {
      format: '10 characters',
      fallback: NONE,
      description: 'ID of your Apple developer team.',
    },
    APNS_TOPIC: { format: 'bundle ID', fallback: NONE, description: 'Bundle ID of the iOS app.' },
    APNS_API_BASE: { format: ORIGIN, description: 'Address of Apple’s push service.' },
    KEYFOLD_ANDROID_APPS: {
      format: '`application id=SHA-256 fingerprint` of the certificate, separated by commas',
      fallback: NONE,
      description: 'Apps for Android that may open links to this server ([Links](docs/mobile.md#links)).',
    },
    KEYFOLD_IOS_APPS: {
      format: '`team.bundle id`, separated by commas',
      fallback: NONE,
      description: 'Apps for iOS that may open links to this server ([Links](docs/mobile.md#links)).',
    },
  },
};

const PAYMENTS: SettingGroup = {
  title: 'Payments',
  settings: {
    STRIPE_SECRET_KEY: {
      format: '`sk_…` or `rk_…`',
      fallback: 'payments are disabled',
      description:
        'Secret API key of your Stripe account ([Payments](docs/operations.md#payments)). Needs `STRIPE_WEBHOOK_SECRET`.',
    },
    STRIPE_WEBHOOK_SECRET: {
      format: '`whsec_…`',
      fallback: NONE,
      description: 'Signing secret of the webhook endpoint in Stripe.',
    },
    STRIPE_API_BASE: { format: ORIGIN, description: 'Address of Stripe’s API.' },
  },
};

/** All settings in the order of docs/configuration.md. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  SERVICE,
  LISTENERS,
  HTTPS,
  ACCOUNTS,
  STORAGE,
  INCOMING,
  OUTGOING,
  IMPORTS,
  APPS,
  PAYMENTS,
];

/** Returns the defaults and choices that the schema declares, by setting. */
export function declaredSettings(): Record<string, z.core.JSONSchema.BaseSchema> {
  const { properties = {} } = z.toJSONSchema(settingsSchema, { io: 'input' });
  return Object.fromEntries(
    Object.entries(properties).map(([name, setting]) => [name, typeof setting === 'boolean' ? {} : setting]),
  );
}
