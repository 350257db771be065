// How much of an Outlook message is followed, wherever it comes from.

/** Properties of one object. */
export const PROPERTIES_MAX = 5_000;

/** Messages inside messages. */
export const MESSAGE_DEPTH_MAX = 6;

/** Bytes of a text in RTF, unpacked, and its groups inside groups. */
export const RTF_MAX_BYTES = 16_777_216;
export const RTF_DEPTH_MAX = 400;
