// A setting that is selected from a short list.
import type { ComponentProps } from 'react';
import { Select } from './Select.tsx';
import { SettingsRow } from './SettingsRow.tsx';

type SelectRowProps<Value extends string> = Omit<ComponentProps<typeof Select<Value>>, 'hideLabel'> & {
  /** One sentence under the name. */
  text?: string;
};

/** A line of a settings page; its label also names the list. */
export function SelectRow<Value extends string>({ text, ...select }: SelectRowProps<Value>) {
  return (
    <SettingsRow label={select.label} text={text}>
      <Select {...select} hideLabel />
    </SettingsRow>
  );
}
