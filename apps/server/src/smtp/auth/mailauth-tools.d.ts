/**
 * Types of the one function of mailauth's tools that alignment.ts uses; the package brings none for them.
 */
declare module 'mailauth/lib/tools.js' {
  /** The entry of `domains` that is aligned with `from` in relaxed mode, or false. */
  export const getAlignment: (
    from: string,
    domains: readonly string[],
  ) => { readonly domain: string } | false;
}
