// Limits on how much of an Outlook message is followed, whatever its container.

/** Maximum number of properties of one object. */
export const PROPERTIES_MAX = 5_000;

/** Maximum nesting depth of messages. */
export const MESSAGE_DEPTH_MAX = 6;

/**
 * Maximum uncompressed size of an RTF text, in bytes, and the maximum nesting depth of its groups.
 */
export const RTF_MAX_BYTES = 16_777_216;
export const RTF_DEPTH_MAX = 400;
