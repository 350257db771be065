/**
 * Types of the parts of mx-connect that mx.ts uses; the package brings none.
 */
declare module 'mx-connect' {
  import type { Socket } from 'node:net';

  export type MtaStsPolicy = { readonly id?: string | false; readonly mode?: string };

  export type Options = {
    target: string;
    port?: number;
    maxConnectTime?: number;
    ignoreMXHosts?: string[];
    dnsOptions?: {
      blockLocalAddresses?: boolean;
      blockReservedNetworks?: boolean;
      resolveRecords?: (name: string, type: string) => Promise<unknown[]>;
    };
    mtaSts?: {
      enabled: boolean;
      cache?: {
        get: (domain: string) => Promise<MtaStsPolicy | false>;
        set: (domain: string, policy: MtaStsPolicy) => Promise<unknown>;
      };
    };
    connectHook?: (delivery: unknown, options: object, callback: (error?: Error) => void) => void;
  };

  export type MxConnection = {
    readonly socket: Socket;
    readonly hostname: string;
    readonly host: string;
    readonly port: number;
    readonly policyMatch?: { readonly valid: boolean; readonly mode: string };
  };

  /** Rejects with an error that has `category`, `temporary` and `response`. */
  const mxConnect: (options: Options) => Promise<MxConnection>;

  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default mxConnect;
}
