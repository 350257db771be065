// Whether an address is one of this page's own site.

/**
 * Compared by its parts: an address whose scheme is a program's, such as the shell's on iOS, has no origin but the word "null".
 */
export const isOwnAddress = ({ protocol, host }: Pick<URL, 'host' | 'protocol'>): boolean =>
  protocol === location.protocol && host === location.host;
