/** Types of the parts of mx-connect that mx.ts uses. The package has none. */
declare module 'mx-connect' {
  import type { Socket } from 'node:net';

  export type Tlsa = {
    readonly usage: number;
    readonly selector: number;
    readonly mtype: number;
    readonly cert: Buffer;
  };

  export type Options = {
    target: string;
    /** Hosts to use instead of those in DNS. */
    mx?: { exchange: string; priority: number }[];
    port?: number;
    maxConnectTime?: number;
    ignoreMXHosts?: string[];
    dnsOptions?: {
      blockLocalAddresses?: boolean;
      blockReservedNetworks?: boolean;
      resolveRecords?: (name: string, type: string) => Promise<unknown[]>;
    };
    dane?: {
      enabled: boolean;
      /** Rejects with ENODATA or ENOTFOUND when no records exist. */
      resolveTlsa: (name: string) => Promise<readonly Tlsa[]>;
      checkDnssecSecure: (hostname: string) => Promise<{ secure: boolean }>;
    };
  };

  export type MxConnection = {
    readonly socket: Socket;
    readonly hostname: string;
    readonly host: string;
    readonly port: number;
    readonly tlsaRecords?: readonly Tlsa[] | null;
  };

  /** Rejects with an error that has `category`, `temporary` and `response`. */
  const mxConnect: (options: Options) => Promise<MxConnection>;

  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default mxConnect;
}
