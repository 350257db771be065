// Prompts the browser to collect garbage, both layout objects and JavaScript objects. There is no
// API for it, and on machines with much memory Chromium lets hundreds of megabytes accumulate (ADR
// 0028).

/**
 * Exceeds the amount that V8 lets a page hold outside its heap before it checks (64 MB). Never
 * written to, so it uses no memory.
 */
const NOTICED_BYTES = 96 * 1024 * 1024;
/**
 * Browsers on machines with less memory collect early by themselves, as do those that do not report
 * it (Firefox, Safari).
 */
const MUCH_MEMORY_GB = 4;

/** Makes the collector start soon, in small steps alongside other work. */
export function collectGarbageSoon(): void {
  const { deviceMemory = 0 } = navigator as Navigator & { readonly deviceMemory?: number };
  if (deviceMemory < MUCH_MEMORY_GB) return;
  try {
    // A call, because bundlers remove an unused `new ArrayBuffer`.
    Reflect.construct(ArrayBuffer, [NOTICED_BYTES]);
  } catch {
    // There is not enough memory even for this, so the collector is already running.
  }
}
