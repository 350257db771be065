// Decides which addresses in a message's HTML are kept: web, email and telephone links; pictures
// inside the message (cid:, harmless data:) and, when allowed, on the web. Relative addresses are
// rejected because they would resolve to Keyfold itself.

// Browsers drop these inside addresses, so "java\tscript:" is a scheme.
const DROPPED = /[\t\n\r\p{Cc}]+/gu;

/** Returns a link that is safe to follow, in normal form, or null. `#fragment` stays unchanged. */
export function findSafeLink(href: string): string | null {
  const address = href.replace(DROPPED, '').trim();
  if (/^#[^\s"'<>]{1,200}$/.test(address)) return address;
  return normalized(address.startsWith('//') ? `https:${address}` : address, [
    'http:',
    'https:',
    'mailto:',
    'tel:',
  ]);
}

/** Returns the http(s) address that a source would be loaded from, or null for other sources. */
export function findRemoteUrl(source: string): string | null {
  const address = source.replace(DROPPED, '').trim();
  return normalized(/^[/\\]{2}/.test(address) ? `https:${address}` : address, ['http:', 'https:']);
}

/** Returns the Content-ID of a `cid:` source, without brackets, or null. */
export function findCid(source: string): string | null {
  const match = /^cid:(.{1,300})$/is.exec(source.replace(DROPPED, '').trim());
  if (!match?.[1]) return null;
  try {
    return decodeURIComponent(match[1]);
  } catch {
    return match[1];
  }
}

// SVG is excluded: it can run scripts when a user opens the picture on its own.
const DATA_IMAGE =
  /^data:image\/(?:png|gif|jpe?g|webp|bmp|avif|x-icon)(?:;[\w=-]{1,40}){0,3};base64,[A-Za-z0-9+/=%\s]*$/i;

/** Returns a picture held in the address itself, or null when it is not a plain bitmap. */
export function findDataImage(source: string): string | null {
  const address = source.trim();
  return DATA_IMAGE.test(address) ? address.replace(/\s+/g, '') : null;
}

function normalized(address: string, schemes: readonly string[]): string | null {
  try {
    const url = new URL(address);
    // Without a double slash, some schemes are resolved relative to the page.
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return schemes.includes(url.protocol) && (!isWeb || url.hostname) ? url.href : null;
  } catch {
    return null;
  }
}
