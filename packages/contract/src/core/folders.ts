// Which messages each folder of the mail view holds, as filters of /user/query: one definition for
// the client's lists and the server's counters (docs/spec-map.md 2, docs/interpretations.md#43,
// #52, #60). The client defines labels and order.

/** `recieved` is spelled as in the specification. */
export const FOLDER_FILTERS = {
  recieved: { sent: false, deleted: false, draft: false, flagged: false, archived: false, snoozed: false },
  starred: { starred: true, deleted: false },
  sent: { sent: true, deleted: false, scheduled: false },
  scheduled: { scheduled: true, deleted: false },
  snoozed: { snoozed: true, deleted: false },
  drafts: { draft: true, deleted: false },
  archived: { archived: true, deleted: false },
  flagged: { flagged: true, deleted: false },
  deleted: { deleted: true },
  all: { deleted: false, draft: false, flagged: false },
} as const;

export type FolderName = keyof typeof FOLDER_FILTERS;

/** A tag acts as a folder of the messages that have it and are not deleted. */
export const TAG_FILTER = { deleted: false } as const;
