/**
 * The operator's settings for incoming mail: the mail servers (MX), and what MTA-STS (RFC 8461)
 * promises other servers about them. Base layer. The settings are the same on all machines,
 * regardless of their roles and host names.
 */
import { z } from 'zod';
import { commaList } from './comma-list.ts';

/** A DNS name, not an IP address. */
export const HOSTNAME =
  /^(?=.{1,253}$)(?!.*\.\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

const MTA_STS_MODES = ['none', 'testing', 'enforce'] as const;

export type MxConfig = {
  /** Names of the mail servers, as in MX records and the policy; never empty. */
  readonly mxNames: readonly string[];
  /**
   * Whether other servers must require a valid certificate, only report invalid ones, or neither.
   */
  readonly mtaSts: (typeof MTA_STS_MODES)[number];
};

const namesOf = (text: string): string[] => [...new Set(commaList(text.toLowerCase()))];

/** Environment variables. */
export const mxEnvironment = {
  KEYFOLD_MX_NAMES: z
    .string()
    .transform(namesOf)
    .refine(names => names.length > 0 && names.every(name => HOSTNAME.test(name)), {
      message: 'must be a comma list of host names',
    })
    .optional(),
  KEYFOLD_MTA_STS: z
    .enum(MTA_STS_MODES, { message: `must be one of ${MTA_STS_MODES.join(', ')}` })
    .optional(),
} as const;

/**
 * Reads the settings for a machine with this host name, with or without an operator's certificate.
 */
export const readMxConfig = (
  given: z.output<z.ZodObject<typeof mxEnvironment>>,
  hostname: string,
  hasCertificate: boolean,
): MxConfig => ({
  mxNames: Object.freeze(given.KEYFOLD_MX_NAMES ?? [hostname]),
  mtaSts: given.KEYFOLD_MTA_STS ?? (hasCertificate ? 'testing' : 'none'),
});

/**
 * Returns a one-line reason why the settings would block mail; null when they do not. `hostname` is
 * this machine's name, if it receives mail. `certificateNames` returns whether its certificate is
 * valid for a name; null for a self-signed certificate, which no other server trusts.
 */
export function findMxProblem(
  { mxNames, mtaSts }: MxConfig,
  hostname: string,
  certificateNames: ((name: string) => boolean) | null,
): string | null {
  if (mtaSts !== 'enforce' || !mxNames.includes(hostname)) return null;
  if (certificateNames === null)
    return 'KEYFOLD_MTA_STS: enforce requires TLS_CERT_FILE for incoming mail, otherwise other servers deliver none';
  return certificateNames(hostname)
    ? null
    : `KEYFOLD_MTA_STS: enforce requires a certificate for ${hostname} in TLS_CERT_FILE, otherwise other servers deliver no mail`;
}
