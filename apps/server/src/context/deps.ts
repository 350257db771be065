/**
 * The dependencies that app.ts constructs once and passes to every layer. Types only; tests build
 * their own.
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
  /** Connector for outbound HTTP; only tests replace it. */
  readonly outboundConnector: OutboundConnector;
  /** External spam scanner for inbound mail; null if none is configured. */
  readonly spamScanner: SpamScanner | null;
  /** Payment provider; null if billing is disabled. */
  readonly payments: Payments | null;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
};
