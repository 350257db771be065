// Color arithmetic: parses computed colors, converts to and from OKLCH, and computes contrast as
// WCAG defines it. Knows no themes. Formulas from Björn Ottosson's OKLab and WCAG 2.2.

/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
export type Rgb = {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
};

/** Lightness from 0 to 1, chroma from 0 to about 0.4, hue in radians. */
export type Oklch = {
  readonly l: number;
  readonly c: number;
  readonly h: number;
};

/**
 * Parses a computed color such as "rgb(1, 2, 3)" or "rgba(1, 2, 3, 0.5)". Returns null for any
 * other notation.
 */
export function parseRgb(text: string): Rgb | null {
  const found = /^rgba?\(\s*([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)(?:\s*[,/]\s*([\d.]+))?\s*\)$/.exec(text);
  if (found === null) return null;
  return { r: Number(found[1]), g: Number(found[2]), b: Number(found[3]), a: Number(found[4] ?? 1) };
}

/** Formats a color as CSS. */
export const formatRgb = ({ r, g, b, a }: Rgb): string =>
  a >= 1
    ? `rgb(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)})`
    : `rgba(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)}, ${a})`;

function toLinear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  const share = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  return share * 255;
}

export function toOklch({ r, g, b }: Rgb): Oklch {
  const [x, y, z] = [toLinear(r), toLinear(g), toLinear(b)];
  const l = Math.cbrt(0.4122214708 * x + 0.5363325363 * y + 0.0514459929 * z);
  const m = Math.cbrt(0.2119034982 * x + 0.6806995451 * y + 0.1073969566 * z);
  const s = Math.cbrt(0.0883024619 * x + 0.2817188376 * y + 0.6299787005 * z);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, c),
    h: Math.atan2(c, a),
  };
}

function linearOf({ l, c, h }: Oklch): [number, number, number] {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
}

/** Converts to RGB, with as much of the chroma as a screen can show. */
export function fromOklch(color: Oklch, alpha = 1): Rgb {
  let { c } = color;
  let linear = linearOf(color);
  for (let step = 0; step < 24 && linear.some(value => value < -0.0005 || value > 1.0005); step += 1) {
    c *= 0.85;
    linear = linearOf({ ...color, c });
  }
  const [r, g, b] = linear.map(value =>
    Math.min(255, Math.max(0, fromLinear(Math.min(1, Math.max(0, value))))),
  );
  return { r: r ?? 0, g: g ?? 0, b: b ?? 0, a: alpha };
}

const luminance = ({ r, g, b }: Rgb): number =>
  0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);

/** Returns the contrast of two opaque colors, from 1 to 21. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Blends a translucent color over an opaque one. */
export const overlay = (top: Rgb, ground: Rgb): Rgb => ({
  r: top.r * top.a + ground.r * (1 - top.a),
  g: top.g * top.a + ground.g * (1 - top.a),
  b: top.b * top.a + ground.b * (1 - top.a),
  a: 1,
});
