// The Operations tab of `/app/admin`: the state of the service for its operators.
// docs/adr/0033-operator-visibility.md explains what is hidden, and why.
import type { AdminLevel } from '@keyfold/contract/limits';
import { t } from '../../../lib/language.ts';
import { CertificatesSection } from './CertificatesSection.tsx';
import { CodesSection } from './CodesSection.tsx';
import { DomainsSection } from './DomainsSection.tsx';
import { JobsSection } from './JobsSection.tsx';
import { PushSection } from './PushSection.tsx';
import { QueueSection } from './QueueSection.tsx';
import { useVersions } from './queries.ts';
import { ReportsSection } from './ReportsSection.tsx';
import { Section } from './Section.tsx';
import { StorageSection } from './StorageSection.tsx';

function VersionsSection() {
  return (
    <Section title={t('Versions')} failed={t('Couldn’t load the versions')} query={useVersions()}>
      {versions => (
        <dl className="flex flex-wrap gap-x-10 gap-y-2 text-base">
          {(
            [
              ['Keyfold', versions.keyfold],
              ['Node', versions.node],
              ['PostgreSQL', versions.postgres],
              [t('Schema'), versions.schema],
            ] as const
          ).map(([name, version]) => (
            <div key={name}>
              <dt className="text-control text-ink-2">{name}</dt>
              <dd className="w-fit font-medium" dir="ltr">
                {version}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

/** Shows all sections one below the other; hides actions that the admin's level does not allow. */
export function OperationsTab({ level }: { level: AdminLevel }) {
  return (
    <div className="flex flex-col gap-4">
      <QueueSection level={level} />
      <JobsSection />
      <PushSection />
      <ReportsSection />
      <StorageSection />
      <DomainsSection />
      <CertificatesSection level={level} />
      <CodesSection level={level} />
      <VersionsSection />
    </div>
  );
}
