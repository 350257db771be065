// Named values side by side, as shown in the dialog of an account.

export type Fact = {
  label: string;
  value: string;
};

/** Shows the values, two per row. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-2 gap-3 text-base">
      {facts.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-meta text-ink-2">{label}</dt>
          <dd className="font-medium wrap-anywhere">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
