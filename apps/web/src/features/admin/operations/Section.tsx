// One section of the tab: its title, its action at the top, and its content once loaded.
import { type ReactNode, useId } from 'react';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

type SectionProps<Data> = {
  title: string;
  text?: string;
  /** Error text when loading fails. */
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

/** Content that was loaded stays visible when a refresh fails. */
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
