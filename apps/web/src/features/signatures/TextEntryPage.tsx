// A page of named texts for messages (signatures, templates): the list, its empty state, the
// editor, and deletion with Undo. The page that uses it defines the kind of text and where it is
// stored.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { showToast } from '../../ui/toasts.ts';
import { type NamedText, TextEntryDialog } from './TextEntryDialog.tsx';
import { TextEntryList, type TextEntryView } from './TextEntryList.tsx';

type TextEntryWords = {
  readonly title: string;
  readonly about: string;
  readonly create: string;
  readonly change: string;
  readonly none: string;
  readonly noneAbout: string;
  readonly notFetched: string;
  readonly deleted: string;
  /** Label of the text field. */
  readonly field: string;
};

type TextEntryPageProps<Entry extends { readonly id: string }> = {
  words: TextEntryWords;
  icon: ReactNode;
  /** All entries; undefined while loading. */
  all: readonly Entry[] | undefined;
  fetching: {
    readonly isPending: boolean;
    readonly isFetching: boolean;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  maxCharacters: { readonly html: number; readonly text: number };
  /** Queries that every change invalidates. */
  queryKeys: readonly (readonly string[])[];
  begin: () => Entry;
  isNew: (entry: Entry) => boolean;
  /** Returns a deleted entry in a form that can be created again. */
  revive: (entry: Entry) => Entry;
  textOf: (entry: Entry) => NamedText;
  withText: (entry: Entry, text: NamedText) => Entry;
  save: (entry: Entry) => Promise<unknown>;
  remove: (entry: Entry) => Promise<unknown>;
  /** Content beside the name in the list, and before the buttons. */
  extras?: (entry: Entry, save: (entry: Entry) => void) => Pick<TextEntryView, 'badge' | 'extra'>;
  /** Additional settings of the edited entry. */
  settings?: (entry: Entry, change: (entry: Entry) => void) => ReactNode;
};

const failed = (error: unknown) => showToast({ tone: 'danger', text: callErrorText(error) });

export function TextEntryPage<Entry extends { readonly id: string }>(props: TextEntryPageProps<Entry>) {
  const { words, icon, all, fetching, maxCharacters, queryKeys, isNew, textOf } = props;
  const cache = useQueryClient();
  const [edited, setEdited] = useState<Entry | null>(null);
  const onSettled = () =>
    Promise.all(queryKeys.map(queryKey => cache.invalidateQueries({ queryKey: [...queryKey] })));
  const save = useMutation({ mutationFn: props.save, onSettled });
  const remove = useMutation({
    mutationFn: props.remove,
    onSuccess: (_, entry) =>
      showToast({
        tone: 'success',
        text: words.deleted,
        action: {
          label: t('Undo'),
          onAct: () => save.mutate(props.revive(entry), { onError: failed }),
        },
      }),
    onError: failed,
    onSettled,
  });
  const open = (entry: Entry) => {
    save.reset();
    setEdited(entry);
  };
  const find = (id: string) => all?.find(one => one.id === id);
  return (
    <SettingsPage
      title={words.title}
      text={words.about}
      action={
        <Button size="sm" onClick={() => open(props.begin())}>
          <Plus size={15} />
          {words.create}
        </Button>
      }
    >
      {fetching.isPending && <Spinner size={20} />}
      {fetching.error !== null && all === undefined && (
        <ErrorState
          title={callErrorText(fetching.error)}
          text={words.notFetched}
          busy={fetching.isFetching}
          onRetry={() => void fetching.refetch()}
        />
      )}
      {all?.length === 0 && <EmptyState icon={icon} title={words.none} text={words.noneAbout} />}
      {all !== undefined && all.length > 0 && (
        <TextEntryList
          label={words.title}
          entries={all.map(entry => {
            const { name, text } = textOf(entry);
            const extras = props.extras?.(entry, next => save.mutate(next, { onError: failed }));
            return { id: entry.id, name, text, ...extras };
          })}
          onChange={id => {
            const found = find(id);
            if (found !== undefined) open(found);
          }}
          onRemove={id => {
            const found = find(id);
            if (found !== undefined) remove.mutate(found);
          }}
        />
      )}
      {edited !== null && (
        <TextEntryDialog
          title={isNew(edited) ? words.create : words.change}
          textLabel={words.field}
          start={textOf(edited)}
          maxCharacters={maxCharacters}
          isBusy={save.isPending}
          refusal={save.error === null ? null : callErrorText(save.error)}
          onSave={text => save.mutate(props.withText(edited, text), { onSuccess: () => setEdited(null) })}
          onClose={() => setEdited(null)}
        >
          {props.settings?.(edited, setEdited)}
        </TextEntryDialog>
      )}
    </SettingsPage>
  );
}
