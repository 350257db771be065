// A draft with every kind of recipient and an upload in progress.
import { useState } from 'react';
import { Composer } from '../../src/features/compose/Composer.tsx';
import type { Recipients } from '../../src/features/compose/draft/view-model.ts';
import type { ComposerMode } from '../../src/features/compose/windows/composer-list.ts';

const query = new URLSearchParams(location.search);
function nothing() {}
const people = [
  { name: 'Ines Almeida', address: 'ines@harborlight.example' },
  { name: 'Nadia Rahman', address: 'nadia@studio.example' },
  { name: 'Tomasz Wilk', address: 'tomasz@wilk.example' },
];

const crowd = Array.from({ length: 40 }, (_, number) => ({
  name: `Person ${number} of the society`,
  address: `person${number}@society.example`,
  state: 'plain' as const,
}));

export function SampleComposer({ onClose }: { onClose: () => void }) {
  const [mode, setMode] = useState<ComposerMode>((query.get('mode') as ComposerMode | null) ?? 'docked');
  const [subject, setSubject] = useState('Lisbon offsite: room names');
  const [text, setText] = useState(
    'Hi Ines,\n\nthe names are right, only Karl moves to the second floor. I attached the corrected plan.\n\nMara',
  );
  const [recipients, setRecipients] = useState<Recipients>({
    to: [
      { name: 'Ines Almeida', address: 'ines@harborlight.example', state: 'verified' },
      { name: 'Tomasz Wilk', address: 'tomasz@wilk.example', state: 'sealed' },
      { name: 'Karl Office', address: 'karl@oldmail.example', state: 'plain' },
      ...(query.has('many') ? crowd : []),
    ],
    cc: query.has('cc')
      ? [
          { name: 'Lena', address: 'lena@fischer.example', state: 'looking_up' },
          { name: 'Priya', address: 'priya@newsroom.example', state: 'key_changed' },
          { name: '', address: 'tomasz at wilk', state: 'invalid' },
        ]
      : [],
    bcc: [],
  });
  return (
    <Composer
      mode={mode}
      recipients={recipients}
      showsCcBcc={query.has('cc')}
      subject={subject}
      text={text}
      files={[
        {
          id: '1',
          name: 'floor-plan-v2.pdf',
          sizeBytes: 1_551_892,
          state: 'encrypting',
          progressPercent: 64,
        },
        ...(query.has('cc')
          ? [
              {
                id: '2',
                name: 'guests.csv',
                sizeBytes: 8_192,
                state: 'failed' as const,
                progressPercent: 0,
                error: 'The connection was lost',
              },
            ]
          : []),
      ]}
      draft={{ kind: 'saved', at: new Date(2026, 10, 19, 9, 44) }}
      phase="writing"
      isOffline={false}
      wantsFocus={false}
      suggestionsFor={typed =>
        people.filter(one => `${one.name} ${one.address}`.toLowerCase().includes(typed.toLowerCase()))
      }
      actions={{
        onFocusTaken: nothing,
        onRecipientsAdd: (field, typed) =>
          setRecipients(old => ({
            ...old,
            [field]: [
              ...old[field],
              ...typed.map(one => ({
                name: one.name,
                address: one.address,
                state: one.isValid ? ('sealed' as const) : ('invalid' as const),
              })),
            ],
          })),
        onRecipientRemove: (field, index) =>
          setRecipients(old => ({ ...old, [field]: old[field].filter((_, position) => position !== index) })),
        onShowCcBcc: nothing,
        onSubjectChange: setSubject,
        onTextChange: setText,
        onFiles: nothing,
        onFileRemove: nothing,
        onFileRetry: nothing,
        onModeChange: setMode,
        onClose,
        onDiscard: onClose,
        onSend: onClose,
        onSendTwoCopies: nothing,
        onRetrySave: nothing,
      }}
    />
  );
}
