// The printed form of a message: its people and date as text, its body, and the names of its
// attachments.
import { formatFullDate } from '../../../../lib/dates.ts';
import { t } from '../../../../lib/language.ts';
import { formatSize } from '../../../../lib/sizes.ts';
import { joinParts, personWords } from '../../../../lib/words.ts';
import type { MessageView, PersonView } from '../../state/view-model.ts';
import type { PrintedMessage } from './print-messages.ts';

const list = (people: readonly PersonView[]): string => joinParts(people.map(personWords));

/** Converts the message for printing under a subject. */
export const toPrinted = (message: MessageView, subject: string): PrintedMessage => ({
  head: [
    [t('From'), personWords(message.from)],
    [t('To'), list(message.to)],
    [t('Cc'), list(message.cc)],
    [t('Date'), formatFullDate(new Date(message.date))],
    [t('Subject'), subject],
  ],
  body: message.body,
  attachments:
    message.attachments.length === 0
      ? ''
      : t('Attachments: {names}', {
          names: joinParts(
            message.attachments.map(({ name, sizeBytes }) => `${name} (${formatSize(sizeBytes)})`),
          ),
        }),
});
