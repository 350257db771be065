// Whether a URL belongs to this page's own site.

/**
 * Compares scheme and host: a URL with an app's scheme, such as the shell's on iOS, has the origin
 * "null".
 */
export const isOwnAddress = ({ protocol, host }: Pick<URL, 'host' | 'protocol'>): boolean =>
  protocol === location.protocol && host === location.host;
