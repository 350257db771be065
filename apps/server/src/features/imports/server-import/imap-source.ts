/**
 * A mailbox at another provider as the source of an import: connects, and decides whether an
 * interrupted import waits or ends. Reading is imap-reader.ts's. For the credentials see
 * [Note: Credentials of an import] in imap-start.ts.
 */
import { ImapRefusal, type ImapSession } from '../../../adapters/imap.ts';
import { openImap } from '../../../adapters/imap-flow.ts';
import {
  IMAP_BREAKS_MAX,
  IMAP_IMPORT_MS,
  IMAP_TURN_MS,
  IMAP_WAIT_MAX_MS,
  IMAP_WAIT_MS,
} from '../../../base/import-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { readMailbox } from './imap-reader.ts';
import { openImapSecret } from './imap-secret.ts';
import { type ImportSource, Postponed, SourceRefused, type Turn } from './source.ts';

/** Opens a session; tests have their own. */
export type ImapOpener = typeof openImap;

/** Whether a failure may be temporary. */
const isTemporary = ({ code }: ImapRefusal): boolean =>
  code === 'unreachable' || code === 'unknown_host' || code === 'not_understood';

/**
 * The failure that the user sees. Host and port were valid when the import began, so these two
 * codes would mislead.
 */
function toRefused({ code }: ImapRefusal): SourceRefused {
  if (code === 'unknown_host') return new SourceRefused('unreachable');
  return new SourceRefused(code === 'port_refused' ? 'address_refused' : code);
}

/** Postpones an interrupted import, longer each time, or ends it. */
async function handleInterruption(turn: Turn, refusal: ImapRefusal): Promise<never> {
  turn.signal.throwIfAborted();
  if (!isTemporary(refusal)) throw toRefused(refusal);
  const deaths = turn.deaths() + 1;
  if (deaths >= IMAP_BREAKS_MAX) throw toRefused(refusal);
  await turn.note({ deaths });
  throw new Postponed(Math.min(IMAP_WAIT_MAX_MS, IMAP_WAIT_MS * 2 ** (deaths - 1)));
}

export type ImapSourceOptions = { readonly turnMs?: number; readonly open?: ImapOpener };

export function createImapSource(
  deps: Pick<Deps, 'clock' | 'config' | 'dns' | 'masterKey' | 'outboundConnector'>,
  { turnMs = IMAP_TURN_MS, open = openImap }: ImapSourceOptions = {},
): ImportSource {
  const { masterKey } = deps;
  return {
    kind: 'imap',
    turnMs,
    isTurnFirm: true,
    isForgiving: true,
    readingMs: () => Number.POSITIVE_INFINITY,
    // Credentials for another mailbox are not kept for a user who may not use this one.
    whileSuspended: () => new SourceRefused('suspended'),
    forget: async () => undefined,
    read: async turn => {
      const { job, signal } = turn;
      if (job.secretSealed === null) throw new SourceRefused('lost');
      if (deps.clock.now().getTime() - job.createdAt.getTime() > IMAP_IMPORT_MS)
        throw new SourceRefused('too_slow');
      const secret = openImapSecret(masterKey, job.id, job.secretSealed);
      let session: ImapSession | null = null;
      try {
        session = await open(deps, secret.login, signal);
        await readMailbox({ masterKey, turn, session, secret });
      } catch (error) {
        if (!(error instanceof ImapRefusal)) throw error;
        await handleInterruption(turn, error);
      } finally {
        session?.close();
      }
    },
  };
}
