// The declarations of a style attribute after filtering: plain ones, with one meaning each.

/** Names and values of a style attribute, lowercase. */
export function readStyle(style: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const declaration of style.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0) found.set(declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim());
  }
  return found;
}
