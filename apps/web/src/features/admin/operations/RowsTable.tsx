// Rows of named values: a table, or on a phone one card per row with the names before the values.
import type { ReactNode } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { usePhone } from '../../../lib/media.ts';

export type Column<Row> = {
  name: string;
  show: (row: Row) => ReactNode;
  isNumber?: boolean;
};

type RowsTableProps<Row> = {
  label: string;
  rows: readonly Row[];
  idOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** Buttons of a row; omitted where no action is allowed. */
  actions?: ((row: Row) => ReactNode) | undefined;
  /** Name of the button column for screen readers. */
  actionsName?: string;
};

function Cards<Row>({ label, rows, idOf, columns, actions }: RowsTableProps<Row>) {
  const [first, ...others] = columns;
  return (
    <ul aria-label={label} className="divide-y divide-line border-y border-line">
      {rows.map(row => (
        <li key={idOf(row)} className="py-3">
          <div className="font-medium break-words">{first?.show(row)}</div>
          <dl className="mt-1.5 grid grid-cols-2 gap-x-4 gap-y-1.5 text-control">
            {others.map(column => (
              <div key={column.name} className="min-w-0">
                <dt className="text-meta text-ink-2">{column.name}</dt>
                <dd className="break-words tabular-nums">{column.show(row)}</dd>
              </div>
            ))}
          </dl>
          {actions !== undefined && (
            <div className="mt-2 flex flex-wrap justify-end gap-2">{actions(row)}</div>
          )}
        </li>
      ))}
    </ul>
  );
}

export function RowsTable<Row>(props: RowsTableProps<Row>) {
  const { label, rows, idOf, columns, actions, actionsName } = props;
  if (usePhone()) return <Cards {...props} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys
    <div tabIndex={0} className="overflow-x-auto">
      <table aria-label={label} className="w-full text-control">
        <thead className="text-meta text-ink-2">
          <tr>
            {columns.map(column => (
              <th
                key={column.name}
                scope="col"
                className={cn(
                  'px-3 py-2 font-medium whitespace-nowrap first:ps-0',
                  column.isNumber ? 'text-end' : 'text-start',
                )}
              >
                {column.name}
              </th>
            ))}
            {actions !== undefined && (
              <th scope="col">
                <span className="sr-only">{actionsName}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={idOf(row)} className="border-t border-line">
              {columns.map((column, at) => (
                <td
                  key={column.name}
                  className={cn(
                    'px-3 py-2 first:ps-0',
                    at === 0 ? 'font-medium' : 'text-ink-2',
                    column.isNumber && 'text-end tabular-nums',
                  )}
                >
                  {column.show(row)}
                </td>
              ))}
              {actions !== undefined && (
                <td className="py-1.5 ps-2">
                  <div className="flex justify-end gap-1.5">{actions(row)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
