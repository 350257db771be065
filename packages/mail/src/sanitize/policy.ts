// The Trusted Types policy `mail-body`, the only one that may turn a message into HTML of a page.
// It accepts strings only from the sanitizer and rejects all others, so access to the policy does
// not allow a bypass.

import { MailError } from '../errors.ts';

/**
 * HTML that a sink accepts under `require-trusted-types-for`; a plain string if the browser lacks
 * the feature.
 */
export type TrustedMarkup = string & { readonly __trusted?: never };

/** The policy as the sanitizer and DOMPurify use it. */
export type MailBodyPolicy = {
  createHTML(html: string): TrustedMarkup;
  createScriptURL(url: string): never;
};

type PolicyFactory = {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string; createScriptURL(url: string): string },
  ): MailBodyPolicy;
};

let isSanitizing = false;
let policy: MailBodyPolicy | null = null;

const rules = {
  createHTML(html: string): string {
    if (!isSanitizing) throw new MailError('no_trusted_types');
    return html;
  },
  createScriptURL(): never {
    throw new MailError('no_trusted_types');
  },
};

/**
 * Returns the page's single policy, created at the first call; the page's CSP must name
 * `mail-body`. Fails with the browser's TypeError when the CSP does not.
 */
export function createMailBodyPolicy(): MailBodyPolicy {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  policy ??= trustedTypes ? trustedTypes.createPolicy('mail-body', rules) : (rules as MailBodyPolicy);
  return policy;
}

/** Runs the sanitizer's own work, during which the policy accepts HTML. */
export function whileSanitizing<T>(work: (policy: MailBodyPolicy) => T): T {
  const owned = createMailBodyPolicy();
  const before = isSanitizing;
  isSanitizing = true;
  try {
    return work(owned);
  } finally {
    isSanitizing = before;
  }
}
