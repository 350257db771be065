// Why a session ended, in the reader's language, as the server says it beside a refusal.
import { CallError } from '@keyfold/contract/client';
import { t, term } from '../../lib/language.ts';

const words: ReadonlyMap<string, string> = new Map([
  ['keys_replaced', term('Your keys were replaced on another device. Sign in again.')],
  ['password_changed', term('Your password was changed. Sign in with the new one.')],
  ['reset_begun', term('Your organization began to reset your password.')],
  ['signed_out', term('You were signed out on another device.')],
  [
    'too_many',
    term('You signed in on so many devices that this one, which was not used for long, was signed out.'),
  ],
]);

type Problem = { readonly path?: unknown; readonly message?: unknown };

/** The sentence of a suspension, with the admin's reason where it is known. */
export const suspendedText = (reason: string | undefined): string =>
  reason === undefined
    ? t('This account is suspended. Please ask those who run this service.')
    : t('This account is suspended. Reason: {reason}', { reason });

function reasonIn(problems: readonly Problem[]): string | undefined {
  const found = problems.find(one => one?.path === 'reason')?.message;
  return typeof found === 'string' ? found : undefined;
}

/** The sentence for the problems of a refusal; undefined when they say nothing of an end. */
export function endText(problems: unknown): string | undefined {
  if (!Array.isArray(problems)) return undefined;
  const said = problems as readonly Problem[];
  const why = said.find(one => one?.path === 'why')?.message;
  if (why === 'suspended') return suspendedText(reasonIn(said));
  const text = words.get(String(why));
  return text === undefined ? undefined : t(text);
}

/** The same for a refused call, also of a sign-in to an account that is suspended. */
export function endTextOf(error: unknown): string | undefined {
  if (!(error instanceof CallError)) return undefined;
  if (error.code === 'account_suspended') return suspendedText(reasonIn(error.problems));
  return endText(error.problems);
}
