/** Settings for the files that every web site has. Base layer. */
import { z } from 'zod';

export type SiteConfig = {
  /** URL at which security researchers reach the operator (RFC 9116, Contact). */
  readonly securityContact: string;
};

/** Environment variables. */
export const siteEnvironment = {
  KEYFOLD_SECURITY_CONTACT: z
    .string()
    .regex(
      /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\S+)$/,
      'must be a mailto:, https:// or tel: address',
    )
    .optional(),
} as const;

/** Reads the settings; the postmaster of `firstDomain` is the default contact. */
export const readSiteConfig = (
  given: z.output<z.ZodObject<typeof siteEnvironment>>,
  firstDomain: string | undefined,
): SiteConfig => ({
  securityContact: given.KEYFOLD_SECURITY_CONTACT ?? `mailto:postmaster@${firstDomain}`,
});
