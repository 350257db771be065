// Finds what may be missing before a message is sent: the subject, the text, or an attachment that
// the text mentions. The composer asks once. Pure.
import { t } from '../../../lib/language.ts';
import { type DraftState, filesInUse, ownWords } from '../draft/draft-state.ts';

export type Reminder = 'subject' | 'attachment' | 'nothing';

/**
 * "Attached" in the catalog languages and related ones; matched at word starts, so that inflected
 * endings do not matter.
 */
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
/** Scripts without spaces between words have no word starts. */
const attachedInside = /添付|附件/u;

/** The line before a forwarded message. */
const forwardStart = /^-{10} .+ -{10}$/m;

/**
 * Returns whether the text mentions an attachment; ignores quoted and forwarded lines, which are by
 * another author.
 */
export function speaksOfAttachment(text: string): boolean {
  const [written = ''] = text.split(forwardStart, 1);
  const own = written
    .split('\n')
    .filter(line => !line.startsWith('>'))
    .join('\n');
  return attached.test(own) || attachedInside.test(own);
}

/** Returns what appears to be missing. */
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

/** Returns the question of a reminder. */
export function reminderWords(reminder: Reminder): string {
  if (reminder === 'subject') return t('This message has no subject.');
  if (reminder === 'nothing') return t('This message has no text.');
  return t('You mentioned an attachment, but nothing is attached.');
}
