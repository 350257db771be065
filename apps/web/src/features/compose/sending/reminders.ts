// What is asked once before a letter goes: is the subject missing, the text, the file it speaks of? Pure.
import { t } from '../../../lib/language.ts';
import { type DraftState, filesInUse, ownWords } from '../draft/draft-state.ts';

export type Reminder = 'subject' | 'attachment' | 'nothing';

/** "Attached" in the languages of the catalogues and their neighbours; word starts, so that endings do not matter. */
const attachedWords = [
  'attach(?:ed|ing|ment)',
  'enclosed',
  'i have included',
  'anhang',
  'anhänge',
  'angehängt',
  'anbei',
  'beigefügt',
  'beigelegt',
  'ci-joint',
  'pièces? jointe',
  'en pièce',
  'adjunt[oa]',
  'adjuntamos',
  'archivo adjunto',
  'allegat[oi]',
  'in allegato',
  'em anexo',
  'anexo',
  'bijlage',
  'bijgevoegd',
  'załącz',
  'w załączniku',
  'прилага',
  'вложени',
  'مرفق',
  'المرفق',
  '添付',
  '附件',
];

const attached = new RegExp(`(?<![\\p{L}\\p{N}])(?:${attachedWords.join('|')})`, 'iu');
/** Scripts without blanks between words have no word starts. */
const attachedInside = /添付|附件/u;

/** The line before what is forwarded. */
const forwardStart = /^-{10} .+ -{10}$/m;

/** Whether the words speak of a file; quoted and forwarded lines are somebody else's. */
export function speaksOfAttachment(text: string): boolean {
  const [written = ''] = text.split(forwardStart, 1);
  const own = written
    .split('\n')
    .filter(line => !line.startsWith('>'))
    .join('\n');
  return attached.test(own) || attachedInside.test(own);
}

/** What is missing, as far as one can tell. */
export function findReminders(draft: DraftState): readonly Reminder[] {
  const words = ownWords(draft);
  const hasFiles = filesInUse(draft).length > 0;
  const saysNothing = words === '' && !hasFiles && draft.quote === null;
  return [
    ...(draft.subject.trim() === '' ? (['subject'] as const) : []),
    ...(saysNothing ? (['nothing'] as const) : []),
    ...(!hasFiles && speaksOfAttachment(`${draft.subject}\n${words}`) ? (['attachment'] as const) : []),
  ];
}

/** The question of a reminder. */
export function reminderWords(reminder: Reminder): string {
  if (reminder === 'subject') return t('This message has no subject.');
  if (reminder === 'nothing') return t('This message says nothing.');
  return t('You wrote “attached” and nothing is attached.');
}
