// The result of a request for a page: placeholder bars while it loads, an error with a retry
// button, or the content.
import type { ReactNode } from 'react';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { callErrorText } from './error-text.ts';

type AskedForProps<Data> = {
  query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  /** Class names that size the bars. */
  bars: readonly string[];
  /**
   * Names what could not be loaded. Without `title` and `text`, the texts of the error are used.
   */
  title?: string;
  text?: string;
  children: (data: Data) => ReactNode;
};

/** Content that loaded once stays when a later request fails. */
export function AskedFor<Data>({ query, bars, title, text, children }: AskedForProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null)
    return (
      <div aria-busy className="flex flex-col gap-3">
        {bars.map((size, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars have places and nothing else
          <Skeleton key={at} className={size} />
        ))}
      </div>
    );
  const reason = callErrorText(error);
  return (
    <ErrorState
      title={title ?? reason}
      text={text ?? reason}
      busy={isFetching}
      onRetry={() => void refetch()}
    />
  );
}
