// Starts our own workers where the page's policy asks for Trusted Types: only addresses of bundles beside this page
// become script addresses, by the policy `workers` that the Content-Security-Policy names.

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

const rules: ScriptUrlPolicy = {
  createScriptURL: url => {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError('Not one of our workers');
    return url;
  },
};

const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
const policy: ScriptUrlPolicy = trustedTypes?.createPolicy('workers', rules) ?? rules;

/** Starts the module worker at an address that the build made. */
export const startWorker = (url: string, name: string): Worker =>
  new Worker(policy.createScriptURL(url), { type: 'module', name });
