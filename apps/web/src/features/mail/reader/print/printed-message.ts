// What is printed of a message: its people and date in words, its text, the names of its files.
import { formatFullDate } from '../../../../lib/dates.ts';
import { t } from '../../../../lib/language.ts';
import { formatSize } from '../../../../lib/sizes.ts';
import { personWords } from '../../../../lib/words.ts';
import type { MessageView, PersonView } from '../../state/view-model.ts';
import type { PrintedMessage } from './print-messages.ts';

const list = (people: readonly PersonView[]): string => people.map(personWords).join(', ');

/** The message as it is printed under a subject. */
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
          names: message.attachments
            .map(({ name, sizeBytes }) => `${name} (${formatSize(sizeBytes)})`)
            .join(', '),
        }),
});
