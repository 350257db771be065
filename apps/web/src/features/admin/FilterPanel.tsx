// The filters of the user list, each "All" by default, and a button to clear them (docs/spec-map.md
// 2, 3).
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { noFilters, type UserFilters } from './user-filters.ts';

type FilterPanelProps = {
  filters: UserFilters;
  onChange: (filters: UserFilters) => void;
};

export function FilterPanel({ filters, onChange }: FilterPanelProps) {
  const all = { value: 'all', label: t('All') } as const;
  return (
    <section
      aria-label={t('Filters')}
      className="mb-3 flex flex-wrap items-end gap-3 rounded-card border border-line bg-surface p-4"
    >
      <Select
        label={t('Status')}
        value={filters.status}
        options={[
          all,
          { value: 'active', label: t('Active') },
          { value: 'suspended', label: t('Suspended') },
        ]}
        onChange={status => onChange({ ...filters, status })}
      />
      <Select
        label={t('Plan')}
        value={filters.plan}
        options={[
          all,
          { value: 'free', label: t('Free') },
          { value: 'plus', label: t('Plus') },
          { value: 'pro', label: t('Pro') },
        ]}
        onChange={plan => onChange({ ...filters, plan })}
      />
      <Select
        label={t('Admin status')}
        value={filters.adminStatus}
        options={[all, { value: 'admin', label: t('Admins') }, { value: 'user', label: t('Non-admins') }]}
        onChange={adminStatus => onChange({ ...filters, adminStatus })}
      />
      <Select
        label={t('Storage level')}
        value={filters.storageLevel}
        options={[
          all,
          { value: 'high', label: t('High (above 75%)') },
          { value: 'medium', label: t('Medium (25 to 75%)') },
          { value: 'low', label: t('Low (below 25%)') },
        ]}
        onChange={storageLevel => onChange({ ...filters, storageLevel })}
      />
      <div className="ms-auto text-accent-text">
        <Button variant="inherit" onClick={() => onChange(noFilters)}>
          {t('Clear All')}
        </Button>
      </div>
    </section>
  );
}
