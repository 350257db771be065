// Actions on a sender: compare keys, or save them as a contact. The code is loaded on demand.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { showToast } from '../../../ui/toasts.ts';
import { LazyVerifyDialog } from '../../contacts/LazyVerifyDialog.tsx';
import type { MessageView } from '../state/view-model.ts';

export type ContactActions = {
  verify: (message: MessageView) => void;
  save: (message: MessageView | undefined) => void;
  /** Rendered beside the reader. */
  dialog: ReactNode;
};

/** The actions, and the dialog that they open. */
export function useContactActions(): ContactActions {
  const cache = useQueryClient();
  const [verified, setVerified] = useState<MessageView['from'] | null>(null);
  const save = async ({ from }: MessageView) => {
    try {
      const { addByAddress } = await loadChunk('contacts', () => import('../../contacts/changes.ts'));
      await addByAddress(from.address, from.name);
      showToast({ tone: 'success', text: t('Contact added') });
    } catch (error) {
      showToast({
        tone: 'danger',
        text: t('{what}: {why}', { what: t('Failed to add contact'), why: callErrorText(error) }),
      });
    }
  };
  return {
    verify: ({ from }) => setVerified(from),
    save: message => {
      if (message !== undefined) void save(message);
    },
    dialog: verified !== null && (
      <LazyVerifyDialog
        {...verified}
        onClose={() => {
          setVerified(null);
          // The directory may have been queried again.
          void cache.invalidateQueries({ queryKey: ['sender-keys'] });
        }}
      />
    ),
  };
}
