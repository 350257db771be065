// The files of one draft: sealed in the key worker, uploaded into the draft, canceled, retried,
// removed. Inline pictures are files with a Content-ID that can be displayed in the page.
import { callback, keys } from '../../../crypto/key-client.ts';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import { fileNameOf } from '../../../lib/file-names.ts';
import { t } from '../../../lib/language.ts';
import { randomId } from '../../../lib/random-id.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import { isOffline } from './draft-sender.ts';
import type { DraftFile, DraftState } from './draft-state.ts';
import { createUploadLimiter } from './upload-limiter.ts';

type FileRoomNeeds = {
  readonly state: () => DraftState;
  readonly setFiles: (files: readonly DraftFile[]) => void;
  readonly touched: () => void;
  /** Returns the draft's id; creates the draft if it does not exist yet. */
  readonly draftHome: () => Promise<string>;
};

export type FileRoom = {
  readonly add: (files: readonly File[], contentId?: string) => void;
  readonly remove: (localId: string) => void;
  readonly retry: (localId: string) => void;
  /** Returns a URL that displays an inline picture in this page, or null. */
  readonly findPicture: (contentId: string) => Promise<string | null>;
  /** Cancels running uploads and releases the pictures. */
  readonly close: () => void;
};

/** Returns a file that is already stored, in the form a composer lists. */
export function storedFile(
  id: string,
  fileKeyB64: string,
  name: string,
  type: string,
  sizeBytes: number,
  contentId: string | null = null,
): DraftFile {
  return {
    localId: id,
    name,
    type,
    sizeBytes,
    stage: 'done',
    percent: 100,
    error: null,
    stored: { id, fileKeyB64, name, type, sizeBytes },
    contentId,
  };
}

type MailFile = OpenedMail['parsed']['attachments'][number];

const bareId = (contentId: string | null): string | null => contentId?.replace(/^<|>$/g, '') ?? null;

/** Converts the files that a message refers to into files of a draft. */
export const referredFiles = (attachments: readonly MailFile[]): DraftFile[] =>
  attachments.flatMap(file =>
    file.external === null
      ? []
      : [
          storedFile(
            file.external.externalId,
            file.external.key,
            fileNameOf(file),
            file.mimeType,
            file.external.sizeBytes,
            file.disposition === 'inline' ? bareId(file.contentId) : null,
          ),
        ],
  );

/** Files added in this page, by their local id. */
type Sources = Map<string, { readonly file: File; readonly abort: AbortController }>;

/** URLs of the inline pictures, each created at most once. */
function createPictures(state: FileRoomNeeds['state'], sources: Sources) {
  const addresses = new Map<string, Promise<string | null>>();

  const openPicture = async (contentId: string): Promise<string | null> => {
    const file = state().files.find(one => one.contentId === contentId);
    const source = file === undefined ? undefined : sources.get(file.localId);
    if (source !== undefined) return URL.createObjectURL(source.file);
    const stored = file?.stored;
    if (!stored) return null;
    const answer = (await sendingClient.attachment({ id: stored.id })) as { readonly bytes?: Blob };
    if (answer.bytes === undefined) return null;
    const picture = await keys().openFile(answer.bytes, stored.fileKeyB64, stored.type);
    return URL.createObjectURL(picture);
  };

  return {
    find: (contentId: string): Promise<string | null> => {
      const known = addresses.get(contentId);
      if (known !== undefined) return known;
      const address = openPicture(contentId).catch(() => null);
      addresses.set(contentId, address);
      void address.then(found => found === null && addresses.delete(contentId));
      return address;
    },
    close: (): void => {
      for (const address of addresses.values())
        void address.then(found => found !== null && URL.revokeObjectURL(found));
      addresses.clear();
    },
  };
}

export function createFileRoom({ state, setFiles, touched, draftHome }: FileRoomNeeds): FileRoom {
  const sources: Sources = new Map();
  const pictures = createPictures(state, sources);
  const limit = createUploadLimiter();

  const setFile = (localId: string, change: Partial<DraftFile>): void =>
    setFiles(state().files.map(file => (file.localId === localId ? { ...file, ...change } : file)));

  const upload = async (localId: string): Promise<void> => {
    const source = sources.get(localId);
    if (source === undefined || source.abort.signal.aborted) return;
    const { file, abort } = source;
    try {
      const draftId = await draftHome();
      const onShare = callback((share: number) => setFile(localId, { percent: Math.floor(share * 100) }));
      const { container, fileKeyB64 } = await keys().sealFile(state().handle, file, onShare);
      if (abort.signal.aborted) return;
      setFile(localId, { stage: 'uploading', percent: 0 });
      const store = () =>
        sendingClient.upload(
          { draft_id: draftId },
          {
            file: container,
            signal: abort.signal,
            onProgress: (sent, total) =>
              setFile(localId, { percent: total === 0 ? 0 : Math.floor((sent / total) * 100) }),
          },
        );
      // Another instance of the service may be available at once. A file that was stored without a
      // response is deleted with the draft.
      const { data } = await store().catch(error => {
        if (abort.signal.aborted || !isOffline(error)) throw error;
        return store();
      });
      const type = file.type || 'application/octet-stream';
      const stored = { id: data.id, fileKeyB64, name: file.name, type, sizeBytes: file.size };
      setFile(localId, { stage: 'done', percent: 100, stored });
      touched();
    } catch (error) {
      if (abort.signal.aborted) return;
      setFile(localId, {
        stage: 'failed',
        error: error instanceof Error ? error.message : t('Something failed'),
      });
    }
  };

  const uploadInTurn = (localId: string): void => {
    setFile(localId, { stage: 'encrypting', percent: 0, error: null });
    void limit(() => upload(localId));
  };

  return {
    add: (files, contentId) => {
      for (const file of files) {
        const localId = randomId();
        sources.set(localId, { file, abort: new AbortController() });
        const added: DraftFile = {
          localId,
          name: file.name,
          type: file.type,
          sizeBytes: file.size,
          stage: 'encrypting',
          percent: 0,
          error: null,
          stored: null,
          contentId: contentId ?? null,
        };
        setFiles([...state().files, added]);
        uploadInTurn(localId);
      }
    },
    retry: uploadInTurn,
    findPicture: pictures.find,
    remove: localId => {
      const gone = state().files.find(file => file.localId === localId);
      sources.get(localId)?.abort.abort();
      sources.delete(localId);
      setFiles(state().files.filter(file => file.localId !== localId));
      touched();
      const stored = gone?.stored;
      if (stored) sendingClient.remove_attachment({ id: stored.id }).catch(() => undefined);
    },
    close: () => {
      for (const { abort } of sources.values()) abort.abort();
      pictures.close();
    },
  };
}
