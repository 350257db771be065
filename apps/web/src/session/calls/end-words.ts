// Why a session ended, in the user's language, from the server's refusal.
import { CallError } from '@keyfold/contract/client';
import { t, term } from '../../lib/language.ts';

const words: ReadonlyMap<string, string> = new Map([
  ['keys_replaced', term('Your keys were replaced on another device. Sign in again.')],
  ['password_changed', term('Your password was changed. Sign in with the new one.')],
  ['reset_begun', term('Your organization started to reset your password.')],
  ['signed_out', term('You were signed out from another device.')],
  [
    'too_many',
    term(
      'This device was signed out because you’re signed in on too many devices and hadn’t used this one for a long time.',
    ),
  ],
]);

type Problem = { readonly path?: unknown; readonly message?: unknown };

/** Returns the text for a suspension, with the admin's reason if known. */
export const suspendedText = (reason: string | undefined): string =>
  reason === undefined
    ? t('This account is suspended. Contact the administrator of this service.')
    : t('This account is suspended. Reason: {reason}', { reason });

function reasonIn(problems: readonly Problem[]): string | undefined {
  const found = problems.find(one => one?.path === 'reason')?.message;
  return typeof found === 'string' ? found : undefined;
}

/**
 * Returns the text for the problems of a refusal, or undefined if they do not concern the end of a
 * session.
 */
export function endText(problems: unknown): string | undefined {
  if (!Array.isArray(problems)) return undefined;
  const said = problems as readonly Problem[];
  const why = said.find(one => one?.path === 'why')?.message;
  if (why === 'suspended') return suspendedText(reasonIn(said));
  const text = words.get(String(why));
  return text === undefined ? undefined : t(text);
}

/** Returns the same for a refused call, including a sign-in to a suspended account. */
export function endTextOf(error: unknown): string | undefined {
  if (!(error instanceof CallError)) return undefined;
  if (error.code === 'account_suspended') return suspendedText(reasonIn(error.problems));
  return endText(error.problems);
}
