/**
 * Settings for the files that a web site publishes about itself: the contact for security
 * researchers, and the apps that may open its links (KEYFOLD_ANDROID_APPS, KEYFOLD_IOS_APPS).
 * http/site-files.ts serves them. Base layer.
 */

import type { AndroidApp } from '@keyfold/contract/app-links';
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

const ANDROID_APP = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+=[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$/;
const IOS_APP = /^[A-Z0-9]{10}(\.[A-Za-z0-9-]+)+$/;

export const isAndroidApp = (text: string): boolean => ANDROID_APP.test(text);
export const isIosApp = (text: string): boolean => IOS_APP.test(text);

/** Returns the apps; an app signed with several certificates is listed once per certificate. */
export function androidAppsOf(entries: readonly string[]): AndroidApp[] {
  const byId = Map.groupBy(entries, entry => entry.slice(0, entry.indexOf('=')));
  return [...byId].map(([id, own]) => ({
    id,
    fingerprints: own.map(entry => entry.slice(id.length + 1).toUpperCase()),
  }));
}
