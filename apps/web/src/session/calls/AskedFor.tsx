// What a page asked the server for: bars of its shape while it comes, why it did not come with a way to try again, or it.
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
  /** Sizes of the bars, as names of classes. */
  bars: readonly string[];
  /** What did not come. What is left out of these two is said in the words of the failure. */
  title?: string;
  text?: string;
  children: (data: Data) => ReactNode;
};

/** Something that came once stays when it is asked for again in vain. */
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
