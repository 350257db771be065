// The tab Operations of `/app/admin`: the service as those who run it see it. What is hidden, and why, is
// docs/adr/0033-what-an-operator-sees.md.
import type { AdminLevel } from '@keyfold/contract/limits';
import { t } from '../../../lib/language.ts';
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
    <Section title={t('Versions')} failed={t('The versions could not be loaded')} query={useVersions()}>
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
              <dd className="font-medium" dir="ltr">
                {version}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

/** All of it, below one another; what one's level may not do is not offered. */
export function OperationsTab({ level }: { level: AdminLevel }) {
  return (
    <div className="flex flex-col gap-4">
      <QueueSection level={level} />
      <JobsSection />
      <PushSection />
      <ReportsSection />
      <StorageSection />
      <DomainsSection />
      <CodesSection level={level} />
      <VersionsSection />
    </div>
  );
}
