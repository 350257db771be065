// Addresses of our own scripts where the page's policy asks for Trusted Types: only what lies on this site becomes a script
// address, by the policy `workers` that the Content-Security-Policy names.
import { isOwnAddress } from './own-address.ts';

type ScriptUrlPolicy = {
  createScriptURL(url: string): string;
};

type PolicyFactory = {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
};

const rules: ScriptUrlPolicy = {
  createScriptURL: url => {
    if (!isOwnAddress(new URL(url, location.href))) throw new TypeError('Not one of our scripts');
    return url;
  },
};

const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
const policy: ScriptUrlPolicy = trustedTypes?.createPolicy('workers', rules) ?? rules;

/** The address as workers take it. Throws TypeError for one of another site. */
export const scriptUrl = (url: string): string => policy.createScriptURL(url);
