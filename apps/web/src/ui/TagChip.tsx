// A colored label; unknown colors are gray (docs/spec-map.md 3).

/** The chip of a tag. `color` is a name of the palette. */
export function TagChip({ name, color }: { name: string; color: string }) {
  return (
    <span
      dir="auto"
      data-color={color}
      className="tag-chip inline-block h-[18px] max-w-32 min-w-0 cut rounded-chip px-[7px] text-chip font-medium"
    >
      {name}
    </span>
  );
}
