/**
 * Draws every icon and splash image of both apps from art/icon.svg, in the Chromium that the
 * stories use. Run it after a change of the drawing and commit its output; a test checks the sizes.
 *
 *   npm run icons -w @keyfold/mobile
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../../tools/browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const res = 'android/app/src/main/res';
const assets = 'ios/App/App/Assets.xcassets';

/** Android's densities: pixels per density-independent unit. */
const densities = { mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 };

/**
 * Describes one image. `sizePx`: side length. `ground`: background shape: full, a circle, or a tile
 * with rounded corners; absent: no background. `mark`: size of the logo as a share of the side, 1
 * as drawn; absent: no logo. `isMask`: white only, its parts without shades.
 */
const of = (file, sizePx, look) => ({ file, sizePx, ...look });

/**
 * The part of an adaptive icon that no mask cuts off is 66 of 108; the drawing already has padding
 * around its logo.
 */
const ADAPTIVE_MARK = 0.64;

export const pictures = [
  ...Object.entries(densities).flatMap(([name, scale]) => [
    of(`${res}/mipmap-${name}/ic_launcher.png`, 48 * scale, { ground: 'tile', mark: 1 }),
    of(`${res}/mipmap-${name}/ic_launcher_round.png`, 48 * scale, { ground: 'circle', mark: 0.86 }),
    of(`${res}/mipmap-${name}/ic_launcher_background.png`, 108 * scale, { ground: 'full' }),
    of(`${res}/mipmap-${name}/ic_launcher_foreground.png`, 108 * scale, { mark: ADAPTIVE_MARK }),
    of(`${res}/mipmap-${name}/ic_launcher_monochrome.png`, 108 * scale, {
      mark: ADAPTIVE_MARK,
      isMask: true,
    }),
    of(`${res}/drawable-${name}/ic_notification.png`, 24 * scale, { mark: 1.4, isMask: true }),
  ]),
  // Android shows only a circle of two thirds of the image's width.
  of(`${res}/drawable-xxhdpi/splash_icon.png`, 288 * 3, { ground: 'inset', mark: 0.56 }),
  of(`${assets}/AppIcon.appiconset/AppIcon-512@2x.png`, 1024, { ground: 'full', mark: 1 }),
  of(`${assets}/AppIcon.appiconset/AppIcon-dark.png`, 1024, { mark: 1 }),
  of(`${assets}/AppIcon.appiconset/AppIcon-tinted.png`, 1024, { ground: 'black', mark: 1 }),
  ...[1, 2, 3].map(scale =>
    of(`${assets}/Splash.imageset/splash${scale === 1 ? '' : `@${scale}x`}.png`, 120 * scale, {
      ground: 'tile',
      mark: 1,
    }),
  ),
];

const shapes = {
  full: '',
  black: '',
  tile: 'clip-path="inset(0 round 9px)"',
  circle: 'clip-path="circle(16px at 16px 16px)"',
  inset: 'transform="translate(7.04 7.04) scale(.56)" clip-path="inset(0 round 9px)"',
};

/** Returns the SVG of one image, built from parts of the source. */
function svgOf(source, { ground, mark, isMask }) {
  const find = pattern => {
    const found = pattern.exec(source);
    if (found === null) throw new Error(`The source has no ${pattern}`);
    return found;
  };
  const [defs] = find(/<defs>[\s\S]*<\/defs>/);
  const part = id => find(new RegExp(`<g id="${id}">([\\s\\S]*?)</g>`))[1];
  const behind = ground === 'black' ? '<rect width="32" height="32" fill="#000"/>' : part('ground');
  const drawn = isMask ? part('mark').replace(/<path id="paper"[^>]*>/, '') : part('mark');
  const shift = mark === undefined ? 0 : 16 * (1 - mark);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="100%" height="100%">${defs}
    ${ground === undefined ? '' : `<g ${shapes[ground]}>${behind}</g>`}
    ${mark === undefined ? '' : `<g transform="translate(${shift} ${shift}) scale(${mark})">${drawn}</g>`}
  </svg>`;
}

async function draw() {
  const source = readFileSync(path.join(root, 'art/icon.svg'), 'utf8');
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error('No Chromium was found; CHROMIUM_PATH may name one');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    for (const picture of pictures) {
      const { sizePx, file, ground } = picture;
      await page.setViewportSize({ width: sizePx, height: sizePx });
      await page.setContent(`<style>html,body{margin:0;background:transparent}svg{display:block}</style>`);
      await page.evaluate(
        svg => {
          document.body.innerHTML = svg;
        },
        svgOf(source, picture),
      );
      const isOpaque = ground === 'full' || ground === 'black';
      const bytes = await page.screenshot({ omitBackground: !isOpaque, type: 'png' });
      const target = path.join(root, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
  } finally {
    await browser.close();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await draw();
