// Views of one screen, one of which is shown. Arrow keys move between the tabs.
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

type TabView<Value extends string> = {
  value: Value;
  label: string;
  content: ReactNode;
};

type TabsProps<Value extends string> = {
  label: string;
  views: readonly TabView<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** The tabs in a row with the selected view below them; the other views are not rendered. */
export function Tabs<Value extends string>({ label, views, value, onChange }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={next => onChange(next as Value)}>
      <Base.List aria-label={label} className="flex flex-wrap gap-1 border-b border-line px-1">
        {views.map(view => (
          <Base.Tab
            key={view.value}
            value={view.value}
            className="h-10 shrink-0 border-b-2 border-transparent px-3 max-pane:px-2 text-base font-medium whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 data-[active]:border-accent data-[active]:text-accent-text pointer-coarse:h-11"
          >
            {view.label}
          </Base.Tab>
        ))}
      </Base.List>
      {views.map(view => (
        <Base.Panel key={view.value} value={view.value} className="pt-5 outline-none">
          {view.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
