// State of the attachments of the open conversation (downloads, their progress, failures), and the
// functions that open, save and zip them. An opened file is kept as long as the conversation is
// open, so it is downloaded only once.
import { useCallback, useEffect, useRef, useState } from 'react';
import { fileNameOf } from '../../../lib/file-names.ts';
import { t } from '../../../lib/language.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { showToast } from '../../../ui/toasts.ts';
import { openMailFile } from '../state/attachments.ts';
import type { WholeMail } from '../state/queries.ts';
import type { AttachmentView } from '../state/view-model.ts';

/** What a file belongs to: a message, or an attached message. */
export type FileOwner = {
  readonly mail: Pick<WholeMail['mail'], 'id'>;
  readonly content: Pick<WholeMail['content'], 'parsed'>;
};

export type FileState = Pick<AttachmentView, 'state' | 'progressPercent'>;

const ready: FileState = { state: 'ready', progressPercent: null };

const keyOf = (mailId: string, id: string): string => `${mailId}/${id}`;

/** Number of files that are opened in parallel for an archive. */
const OPEN_AT_ONCE = 3;

export type AttachmentWork = {
  stateOf: (mailId: string, id: string) => FileState;
  /** Opens a file. Rejects when the file is unavailable; its card then shows the failure. */
  open: (whole: FileOwner, id: string) => Promise<Blob>;
  save: (whole: FileOwner, id: string) => void;
  saveAll: (whole: FileOwner, ids: readonly string[]) => void;
  /** Id of the message whose files are being zipped, or null. */
  packing: string | null;
};

/** Provides the attachment functions and state of the open conversation. */
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

/** Returns the files of a message for the cards, each with its current state. */
export const withStates = (
  mailId: string,
  attachments: readonly AttachmentView[],
  work: AttachmentWork,
): AttachmentView[] => attachments.map(file => ({ ...file, ...work.stateOf(mailId, file.id) }));
