// Derives what a reply or a forward takes from an opened message: its text, people and attachments.
import { fileNameOf } from '../../../lib/file-names.ts';
import { referredFiles } from '../../compose/draft/draft-files.ts';
import type { Answered } from '../../compose/text/answers.ts';
import type { WholeMail } from '../state/queries.ts';

/** Converts the message to the form that replies use. */
export const toAnswered = ({ mail, content }: WholeMail): Answered => ({
  messageId: mail.message_id,
  references: content.parsed.references?.split(/\s+/).filter(id => id !== '') ?? [],
  from: content.parsed.from ?? { name: '', address: mail.from },
  replyTo: content.parsed.replyTo,
  to: content.parsed.to,
  cc: content.parsed.cc,
  subject: content.parsed.subject ?? '',
  date: new Date(mail.received_at),
  text: content.parsed.text ?? '',
  html: content.parsed.html ?? null,
});

/**
 * Returns the attachments of a quoted message: separately stored files are referenced again, inline
 * ones are sealed again.
 */
export function quotedFiles({ content }: WholeMail, isForward: boolean) {
  const { attachments, html } = content.parsed;
  const inside = attachments.filter(file => file.external === null);
  const asFile = (file: (typeof attachments)[number]) =>
    new File([file.content as BlobPart], fileNameOf(file), { type: file.mimeType });
  const isShown = (contentId: string | null) =>
    contentId !== null && contentId !== '' && (html ?? '').includes(`cid:${contentId}`);
  const shownAs = ({ contentId }: (typeof attachments)[number]): string | null => {
    const bare = contentId?.replace(/^<|>$/g, '') ?? null;
    return isShown(bare) ? bare : null;
  };
  return {
    stored: referredFiles(attachments)
      .map(file => (isShown(file.contentId) ? file : { ...file, contentId: null }))
      .filter(({ contentId }) => isForward || contentId !== null),
    copied: isForward ? inside.filter(file => shownAs(file) === null).map(asFile) : [],
    pictures: inside.flatMap(file => {
      const contentId = shownAs(file);
      return contentId === null ? [] : [{ file: asFile(file), contentId }];
    }),
  };
}
