// What the window hears of the mailbox: new mail (Spec §4), and any change of it, by this tab or elsewhere. Who listens
// asks for what it shows; nothing of a mail is in these events. Also the name under which lists are asked for, so that what
// runs beside them can tell.

/** New mail came; `detail.count` says how many. */
export const newEmailsReceived = 'newEmailsReceived';
/** The mailbox is at `detail.version` now, as counts name it. */
export const mailboxChanged = 'mailboxChanged';
/** First part of the key, in the cache of answers, of every list of mail: while one is asked for, others hold back. */
export const listsKey = ['mail-list'] as const;
