// Asks the browser to collect what is no longer used, of the page's layout as of the program. There is no call for it, and
// on machines with much memory Chromium waits until hundreds of megabytes lie about (ADR 0028).

/** Beyond what V8 lets a page hold outside its heap without a look (64 MB). Never written to, so it takes no memory. */
const NOTICED_BYTES = 96 * 1024 * 1024;
/** Browsers on machines with less collect early by themselves; those that do not tell (Firefox, Safari) do so too. */
const MUCH_MEMORY_GB = 4;

/** Makes the collector look soon, in small steps beside other work. */
export function collectGarbageSoon(): void {
  const { deviceMemory = 0 } = navigator as Navigator & { readonly deviceMemory?: number };
  if (deviceMemory < MUCH_MEMORY_GB) return;
  try {
    // Written as a call: bundlers take `new ArrayBuffer` without a use for nothing.
    Reflect.construct(ArrayBuffer, [NOTICED_BYTES]);
  } catch {
    // There is no room even for this: the collector is at work already.
  }
}
