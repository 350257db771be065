// Which mails each folder of the mail view holds, as filters of /user/query: one definition for the client's lists and
// the server's counters (docs/spec-map.md 2, docs/interpretations.md#43, #52, #60). Labels and order are the client's.

/** `recieved` is spelt as in the specification. */
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

/** A tag is a folder of the mails that carry it and are in use. */
export const TAG_FILTER = { deleted: false } as const;
