// URLs of our own scripts for pages whose policy requires Trusted Types. Only URLs on this site
// become script URLs, through the policy `workers` that the Content-Security-Policy names.
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

/** Returns the URL as workers accept it. Throws TypeError for a URL of another site. */
export const scriptUrl = (url: string): string => policy.createScriptURL(url);
