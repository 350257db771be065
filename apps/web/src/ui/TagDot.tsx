// The colored square beside a tag's name.

/** Decorative; `color` is a name of the palette. */
export function TagDot({ color }: { color: string }) {
  return <span aria-hidden data-color={color} className="tag-dot size-2.5 shrink-0 rounded-[3px]" />;
}
