// What is going on with the files of the open conversation: which are being fetched, how far, which failed; and opening,
// saving and packing them. A file that was opened is kept while the conversation is, so that it is fetched once.
import { useCallback, useEffect, useRef, useState } from 'react';
import { fileNameOf } from '../../../lib/file-names.ts';
import { t } from '../../../lib/language.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { showToast } from '../../../ui/toasts.ts';
import { openMailFile } from '../state/attachments.ts';
import type { WholeMail } from '../state/queries.ts';
import type { AttachmentView } from '../state/view-model.ts';

/** What a file is of: a mail, or a message that is a file of one. */
export type FileOwner = {
  readonly mail: Pick<WholeMail['mail'], 'id'>;
  readonly content: Pick<WholeMail['content'], 'parsed'>;
};

export type FileState = Pick<AttachmentView, 'state' | 'progressPercent'>;

const ready: FileState = { state: 'ready', progressPercent: null };

const keyOf = (mailId: string, id: string): string => `${mailId}/${id}`;

/** Files that are opened at once for an archive. */
const OPEN_AT_ONCE = 3;

export type AttachmentWork = {
  stateOf: (mailId: string, id: string) => FileState;
  /** The opened file. Rejects when it cannot be had; the card then says so. */
  open: (whole: FileOwner, id: string) => Promise<Blob>;
  save: (whole: FileOwner, id: string) => void;
  saveAll: (whole: FileOwner, ids: readonly string[]) => void;
  /** The mail whose files are being packed, or null. */
  packing: string | null;
};

/** The work on files while a conversation is open. */
export function useAttachments(): AttachmentWork {
  const [states, setStates] = useState<ReadonlyMap<string, FileState>>(new Map());
  const [packing, setPacking] = useState<string | null>(null);
  const opened = useRef(new Map<string, Promise<Blob>>());
  const control = useRef(new AbortController());
  useEffect(() => {
    control.current = new AbortController();
    const kept = opened.current;
    return () => {
      control.current.abort();
      kept.clear();
    };
  }, []);
  const open = useCallback((whole: FileOwner, id: string): Promise<Blob> => {
    const key = keyOf(whole.mail.id, id);
    const before = opened.current.get(key);
    if (before !== undefined) return before;
    const file = whole.content.parsed.attachments[Number(id)];
    if (file === undefined) return Promise.reject(new Error('Something failed'));
    const set = (state: FileState) => setStates(all => new Map(all).set(key, state));
    if (file.external !== null) set({ state: 'loading', progressPercent: 0 });
    const work = openMailFile(
      file,
      (loaded, total) =>
        set({ state: 'loading', progressPercent: total > 0 ? (loaded / total) * 100 : null }),
      control.current.signal,
    );
    opened.current.set(key, work);
    work.then(
      () => set(ready),
      () => {
        opened.current.delete(key);
        set({ state: 'failed', progressPercent: null });
      },
    );
    return work;
  }, []);
  const tell = (error: unknown) => {
    if (!control.current.signal.aborted) showToast({ tone: 'danger', text: callErrorText(error) });
  };
  const nameOf = ({ content }: FileOwner, id: string): string => {
    const file = content.parsed.attachments[Number(id)];
    return file === undefined ? t('file') : fileNameOf(file);
  };
  const saveAll = async (whole: FileOwner, ids: readonly string[]): Promise<void> => {
    setPacking(whole.mail.id);
    try {
      const files = new Map<string, Blob>();
      const queue = [...ids];
      const work = async () => {
        for (let id = queue.shift(); id !== undefined; id = queue.shift())
          files.set(id, await open(whole, id));
      };
      await Promise.all(Array.from({ length: OPEN_AT_ONCE }, work));
      const { zipFiles } = await import('./zip-client.ts');
      const zip = await zipFiles(
        ids.flatMap(id => {
          const content = files.get(id);
          return content === undefined ? [] : [{ name: nameOf(whole, id), content }];
        }),
      );
      await saveFile(zip, `${whole.content.parsed.subject ?? t('Attachments')}.zip`);
    } catch (error) {
      tell(error);
    } finally {
      setPacking(null);
    }
  };
  return {
    stateOf: (mailId, id) => states.get(keyOf(mailId, id)) ?? ready,
    open,
    save: (whole, id) =>
      void open(whole, id).then(
        blob => void saveFile(blob, nameOf(whole, id)),
        () => undefined,
      ),
    saveAll: (whole, ids) => void saveAll(whole, ids),
    packing,
  };
}

/** The files of a mail as the cards show them, with what is going on with each. */
export const withStates = (
  mailId: string,
  attachments: readonly AttachmentView[],
  work: AttachmentWork,
): AttachmentView[] => attachments.map(file => ({ ...file, ...work.stateOf(mailId, file.id) }));
