// One section of shortcuts under its heading, listing each command and its keys. Used in the sheet
// and in the settings.
import { Kbd } from '../../ui/Kbd.tsx';
import type { ShortcutLines } from './shortcut-sections.ts';

/** Renders the section; `heading` is the level that fits the surrounding page. */
export function ShortcutSection({
  section,
  heading: Heading,
  className,
}: {
  section: ShortcutLines;
  heading: 'h2' | 'h3';
  className: string;
}) {
  return (
    <section aria-label={section.label} className={className}>
      <Heading className="mb-1 text-meta font-semibold text-ink-3">{section.label}</Heading>
      <dl>
        {section.lines.map(line => (
          <div key={line.id} className="flex items-baseline gap-3 border-b border-line py-1.5">
            <dt className="min-w-0 flex-1 text-control">{line.title}</dt>
            <dd className="flex shrink-0 flex-wrap justify-end gap-1">
              {line.keys.map(keys => (
                <Kbd key={keys}>{keys}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
