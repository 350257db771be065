/**
 * Types of the one function of mailauth's tools that alignment.ts uses; the package includes no
 * types for them.
 */
declare module 'mailauth/lib/tools.js' {
  /** Returns the entry of `domains` that is aligned with `from` in relaxed mode, or false. */
  export const getAlignment: (
    from: string,
    domains: readonly string[],
  ) => { readonly domain: string } | false;
}
