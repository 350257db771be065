// Used storage by kind, and the remaining capacity.
import type { OperatedStorage } from '@keyfold/contract';
import { t, term } from '../../../lib/language.ts';
import { formatSize } from '../../../lib/sizes.ts';
import { formatCount } from '../../../lib/words.ts';
import { useStorage } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const kinds: Readonly<Record<string, string>> = {
  files: term('Messages and attachments'),
  search: term('Search indexes'),
  mail: term('Mail'),
  outgoing: term('Outgoing mail'),
  'kept by users': term('Contacts, settings and signatures'),
  'key log': term('Key log'),
  jobs: term('Jobs'),
  'accounts and the rest': term('Accounts and other data'),
};

const kindName = (kind: string): string => t(kinds[kind] ?? kind);

const places = {
  files: term('Encrypted blobs (file system)'),
  s3: term('Encrypted blobs (S3)'),
} as const;

const databases = {
  embedded: term('Database (embedded)'),
  own: term('Database (external)'),
} as const;

function Sum({ name, bytes }: { name: string; bytes: number }) {
  return (
    <div>
      <dt className="text-control text-ink-2">{name}</dt>
      <dd className="text-number font-semibold tabular-nums">{formatSize(bytes)}</dd>
    </div>
  );
}

const sum = (rows: OperatedStorage['containers']): number =>
  rows.reduce((bytes, row) => bytes + row.size_bytes, 0);

export function StorageSection() {
  return (
    <Section title={t('Storage')} failed={t('Couldn’t load storage details')} query={useStorage()}>
      {storage => (
        <div className="flex flex-col gap-5">
          <dl className="flex flex-wrap gap-x-8 gap-y-2">
            <Sum name={t(places[storage.container_store])} bytes={sum(storage.containers)} />
            <Sum name={t(databases[storage.database])} bytes={storage.database_bytes} />
            {storage.disk !== null && <Sum name={t('Free disk space')} bytes={storage.disk.free_bytes} />}
          </dl>
          <div className="grid gap-6 rail:grid-cols-2">
            <RowsTable
              label={t('Encrypted blobs')}
              rows={storage.containers}
              idOf={row => row.kind}
              columns={[
                { name: t('Encrypted blobs'), show: row => kindName(row.kind) },
                { name: t('Count'), isNumber: true, show: row => formatCount(row.items) },
                { name: t('Size'), isNumber: true, show: row => formatSize(row.size_bytes) },
              ]}
            />
            <RowsTable
              label={t('Tables')}
              rows={storage.tables}
              idOf={row => row.kind}
              columns={[
                { name: t('Tables'), show: row => kindName(row.kind) },
                { name: t('Count'), isNumber: true, show: row => formatCount(row.items) },
                { name: t('Size'), isNumber: true, show: row => formatSize(row.size_bytes) },
              ]}
            />
          </div>
        </div>
      )}
    </Section>
  );
}
