/**
 * What app.ts constructs once and hands to every room. Types only; tests build their own.
 */
import type { BlobStore } from '../adapters/blobs.ts';
import type { Clock } from '../adapters/clock.ts';
import type { Dns } from '../adapters/dns.ts';
import type { ImportFiles } from '../adapters/import-files.ts';
import type { OutboundConnector } from '../adapters/outbound-http.ts';
import type { Payments } from '../adapters/payments.ts';
import type { SpamScanner } from '../adapters/spam-scanner.ts';
import type { Logger } from '../base/logger.ts';
import type { MasterKey } from '../base/master-key.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/pool.ts';

export type Deps = {
  readonly config: Config;
  readonly logger: Logger;
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly importFiles: ImportFiles;
  readonly dns: Dns;
  /** How the web is reached; only tests have another one. */
  readonly outboundConnector: OutboundConnector;
  /** Who else is asked about arriving mail; null when nobody is. */
  readonly spamScanner: SpamScanner | null;
  /** Who takes payments; null when nobody does. */
  readonly payments: Payments | null;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
};
