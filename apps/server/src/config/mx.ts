/**
 * What the operator says about the way of mail to this service: which mail servers take it (MX), and what other servers are
 * promised of them by MTA-STS (RFC 8461). Ground. All machines say the same, whatever their roles and own names are.
 */
import { z } from 'zod';
import { commaList } from './comma-list.ts';

/** A name in the DNS, and no IP address. */
export const HOSTNAME =
  /^(?=.{1,253}$)(?!.*\.\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

const MTA_STS_MODES = ['none', 'testing', 'enforce'] as const;

export type MxConfig = {
  /** Names of the mail servers, as MX records and the policy have them; never empty. */
  readonly mxNames: readonly string[];
  /** Whether others must be shown a good certificate by one of them, report when they are not, or neither. */
  readonly mtaSts: (typeof MTA_STS_MODES)[number];
};

const namesOf = (text: string): string[] => [...new Set(commaList(text.toLowerCase()))];

/** Variables of the environment. */
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

/** What they say, on a machine of this name, which has a certificate of the operator's or not. */
export const readMxConfig = (
  given: z.output<z.ZodObject<typeof mxEnvironment>>,
  hostname: string,
  hasCertificate: boolean,
): MxConfig => ({
  mxNames: Object.freeze(given.KEYFOLD_MX_NAMES ?? [hostname]),
  mtaSts: given.KEYFOLD_MTA_STS ?? (hasCertificate ? 'testing' : 'none'),
});

/**
 * Why that would keep mail away, as one line; null when it does not. `hostname` is this machine's name, if it takes mail, and
 * `certificateNames` whether its certificate is for a name, null with one of our own making, which nobody else vouches for.
 */
export function findMxProblem(
  { mxNames, mtaSts }: MxConfig,
  hostname: string,
  certificateNames: ((name: string) => boolean) | null,
): string | null {
  if (mtaSts !== 'enforce' || !mxNames.includes(hostname)) return null;
  if (certificateNames === null)
    return 'KEYFOLD_MTA_STS: enforce needs TLS_CERT_FILE where mail comes in, or other servers bring none';
  return certificateNames(hostname)
    ? null
    : `KEYFOLD_MTA_STS: enforce needs a certificate in TLS_CERT_FILE that names ${hostname}, or other servers bring no mail`;
}
