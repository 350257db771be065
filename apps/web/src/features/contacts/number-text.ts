// The safety number as text: in its QR code, and as somebody pastes or types it. Pure.

const prefix = 'KEYFOLD:';
const DIGIT_COUNT = 60;

/** What the QR code of a number holds. */
export const toQrText = (number: string): string => prefix + number.replaceAll(' ', '');

/** The sixty digits of a text, separated as they may be; null when there are more, fewer, or other words. */
export function readNumber(text: string): string | null {
  const digits = text.trim().toUpperCase().replace(prefix, '').replace(/[\s-]/g, '');
  return digits.length === DIGIT_COUNT && /^[0-9]+$/.test(digits) ? digits : null;
}

/** Whether a text is this number. */
export const isSameNumber = (text: string, number: string): boolean =>
  readNumber(text) === number.replaceAll(' ', '');
