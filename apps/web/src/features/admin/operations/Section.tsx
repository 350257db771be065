// One part of the tab: its name, what can be done at its head, and what it shows, once that has come.
import { type ReactNode, useId } from 'react';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

type SectionProps<Data> = {
  title: string;
  text?: string;
  /** What did not come, when it did not. */
  failed: string;
  action?: ReactNode;
  query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  children: (data: Data) => ReactNode;
};

/** Something that came once stays when it is asked for again in vain. */
export function Section<Data>({ title, text, failed, action, query, children }: SectionProps<Data>) {
  const heading = useId();
  const { data, error, isFetching, refetch } = query;
  return (
    <section aria-labelledby={heading} className="rounded-card border border-line bg-surface p-4 rail:p-5">
      <div className="mb-3 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id={heading} className="text-pane font-semibold">
            {title}
          </h2>
          {text !== undefined && <p className="text-control text-ink-2">{text}</p>}
        </div>
        {action}
      </div>
      {data !== undefined ? (
        children(data)
      ) : error === null ? (
        <div aria-busy className="flex flex-col gap-2">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-2/3" />
        </div>
      ) : (
        <ErrorState
          title={failed}
          text={callErrorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </section>
  );
}
