// The Trusted Types policy `mail-body`, the only one that may turn a mail into HTML of a page. It accepts strings from
// the sanitiser alone: anything else that reaches it is refused, so holding the policy gives nobody a way around.

import { MailError } from '../errors.ts';

/** HTML that a sink accepts under `require-trusted-types-for`; a plain string where the browser lacks the feature. */
export type TrustedMarkup = string & { readonly __trusted?: never };

/** The policy, as the sanitiser and DOMPurify use it. */
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
 * The one policy of this page, made at the first call; the page's CSP must name `mail-body`. Fails with the browser's
 * TypeError when the CSP does not.
 */
export function createMailBodyPolicy(): MailBodyPolicy {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  policy ??= trustedTypes ? trustedTypes.createPolicy('mail-body', rules) : (rules as MailBodyPolicy);
  return policy;
}

/** Runs the sanitiser's own work, during which the policy accepts HTML. */
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
