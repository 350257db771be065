// The body of an attached message for rendering: sanitized like every body, with its own pictures
// only.
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { useEffect, useState } from 'react';
import { createPauses } from '../../../../lib/pauses.ts';
import { WORK_SLICE_MS } from '../../../../timing.ts';
import { openInlinePictures, type ShownBody, toHtmlBody, toPlainBody } from '../message-view.ts';

const loading: ShownBody = { body: { kind: 'loading' }, remote: null };
const failed: ShownBody = { body: { kind: 'failed' }, remote: null };

/** Returns the body once it is sanitized. */
export function useAttachedBody(parsed: ParsedMessage | null): ShownBody {
  const [shown, setShown] = useState<{ readonly of: ParsedMessage; readonly body: ShownBody } | null>(null);
  useEffect(() => {
    if (parsed === null) return;
    const control = new AbortController();
    let release = (): void => undefined;
    const clean = async (): Promise<ShownBody> => {
      const content = { kind: 'mail', parsed, failed: null, path: null } as const;
      const plain = toPlainBody(content);
      if (plain !== null) return plain;
      const pictures = await openInlinePictures(parsed);
      release = pictures.release;
      if (control.signal.aborted) release();
      return toHtmlBody(content, null, pictures.find, createPauses(WORK_SLICE_MS, control.signal));
    };
    void clean()
      .catch(() => failed)
      .then(body => {
        if (!control.signal.aborted) setShown({ of: parsed, body });
      });
    return () => {
      control.abort();
      release();
    };
  }, [parsed]);
  return shown?.of === parsed ? shown.body : loading;
}
