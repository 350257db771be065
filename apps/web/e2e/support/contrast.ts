// Measures in the page how readable words are against the background that the browser paints.

/**
 * Returns the lowest contrast of a visible word, with the word. Walks the page independently of the
 * product's code.
 */
export function lowestContrast(body: HTMLElement, base: number[]): [number, string] {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const rgba = (text: string): number[] => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const mix = (top: number[], under: number[], share = top[3] ?? 1) =>
    [0, 1, 2].map(at => (top[at] ?? 0) * share + (under[at] ?? 0) * (1 - share));
  const light = (color: number[]) => {
    const [r = 0, g = 0, b = 0] = color.map(one => {
      const share = one / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  let lowest: [number, string] = [21, ''];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement as HTMLElement;
    if ((node.nodeValue ?? '').trim() === '' || !parent.checkVisibility() || parent.closest('style'))
      continue;
    const chain: HTMLElement[] = [];
    for (let at: HTMLElement | null = parent; at !== null; at = at.parentElement) chain.unshift(at);
    let grounds = [base];
    let opacity = 1;
    for (const element of chain) {
      const style = getComputedStyle(element);
      opacity *= Number(style.opacity) * (style.filter === 'none' ? 1 : 0);
      grounds = grounds.map(ground => mix(rgba(style.backgroundColor), ground));
      const stops = style.backgroundImage.match(/rgba?\([^)]*\)/g);
      if (stops) grounds = stops.flatMap(stop => grounds.map(ground => mix(rgba(stop), ground)));
    }
    const ink = rgba(getComputedStyle(parent).getPropertyValue('-webkit-text-fill-color'));
    for (const ground of grounds) {
      const [low = 0, high = 0] = [light(mix(ink, ground, (ink[3] ?? 1) * opacity)), light(ground)].sort(
        (a, b) => a - b,
      );
      const contrast = (high + 0.05) / (low + 0.05);
      if (contrast < lowest[0]) lowest = [contrast, node.nodeValue ?? ''];
    }
  }
  return lowest;
}
