/**
 * Parses the parameters of a query into a filter (docs/spec-map.md 3.21, 3.22,
 * docs/api-conventions.md#mail): decodes text, and converts addresses and search text to the form
 * stored in the database. Contains no SQL.
 */
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { FLAG_BITS, type Flag, type FlagFilter } from '../../../base/flags.ts';
import { foldForSearch } from '../../mailbox/messages/index.ts';

export type QueryInput = InputOf<typeof api.mail.query>;

export type MailFilter = {
  readonly flags: FlagFilter;
  /** One of the user's own addresses. */
  readonly address: string | undefined;
  /** Names of tags, all of which a message must have. */
  readonly tags: readonly string[];
  /** Text to find among a message's participants, case-folded. */
  readonly search: string | undefined;
  /** Without angle brackets. */
  readonly messageId: string | undefined;
  /** One row per conversation; with `messageId`, the whole conversation of that message. */
  readonly isThreaded: boolean;
};

const FATAL_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a base64 text parameter. Throws malformed when it is not UTF-8
 * (docs/interpretations.md#55).
 */
function decodeText(name: string, base64: string): string {
  try {
    return FATAL_UTF8.decode(Buffer.from(base64, 'base64'));
  } catch (cause) {
    throw new AppError('malformed', { cause, problems: [{ path: name, message: 'Not UTF-8 text' }] });
  }
}

/** Returns the filter of a query. Throws malformed. */
export function readFilter(input: QueryInput): MailFilter {
  const flags = Object.fromEntries(
    Object.keys(FLAG_BITS)
      .map(name => [name, input[name as Flag]] as const)
      .filter(([, value]) => value !== undefined),
  ) as FlagFilter;
  const search = input.search === undefined ? '' : foldForSearch(decodeText('search', input.search));
  const messageId = input.message_id === undefined ? '' : decodeText('message_id', input.message_id).trim();
  return {
    flags,
    address: input.address === undefined ? undefined : normalizeAddress(input.address),
    tags: [...new Set(input.tag ?? [])].sort(),
    search: search === '' ? undefined : search,
    messageId: messageId === '' ? undefined : messageId.replace(/^<|>$/g, ''),
    isThreaded: input.threading ?? false,
  };
}

/**
 * Returns whether a filter contains something that no stored text can contain: PostgreSQL text has
 * no zero bytes.
 */
export const isImpossible = ({ address, tags, search, messageId }: MailFilter): boolean =>
  [address, search, messageId, ...tags].some(text => text?.includes('\0'));
