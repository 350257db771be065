// Every image that tools/icons.mjs draws is committed in its size; images that must be opaque have
// no transparent pixel.
import { expect, test } from 'vitest';
import { pictures } from '../tools/icons.mjs';
import { readBytes, readJson } from './project-files.mjs';

/**
 * Reads size and color type from a PNG's first chunk (ISO/IEC 15948, 11.2.2); 2 is without, 6 with
 * transparency.
 */
function pngOf(file) {
  const bytes = readBytes(file);
  expect(bytes.subarray(1, 4).toString(), file).toBe('PNG');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), colorType: bytes[25] };
}

test.each(pictures)('$file has the expected size and color type', ({ file, sizePx, ground }) => {
  const { width, height, colorType } = pngOf(file);
  expect([width, height]).toEqual([sizePx, sizePx]);
  expect(colorType).toBe(ground === 'full' || ground === 'black' ? 2 : 6);
});

test.each(['AppIcon.appiconset', 'Splash.imageset'])('%s references only generated pictures', set => {
  const folder = `ios/App/App/Assets.xcassets/${set}`;
  const drawn = new Set(pictures.map(({ file }) => file));
  for (const { filename } of readJson(`${folder}/Contents.json`).images)
    expect(drawn.has(`${folder}/${filename}`), filename).toBe(true);
});
