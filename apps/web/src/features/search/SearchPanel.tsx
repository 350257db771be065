// Search form for users who do not type operators. It is filled from the query and writes the same
// query back.
import { type Chip, joinQuery, splitQuery } from '@keyfold/search/chips';
import type { Operator } from '@keyfold/search/query';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';

type SearchPanelProps = {
  query: string;
  tags: readonly string[];
  onClose: () => void;
  onSearch: (query: string) => void;
};

/**
 * Operators that the form has a field for, once and not negated. Other operators stay in the query
 * unchanged.
 */
const inForm: readonly Operator[] = [
  'from',
  'to',
  'subject',
  'filename',
  'after',
  'before',
  'has',
  'tag',
  'in',
];
const anywhere = '-';

/** Whether a date has the format of the browser's date field. Other dates stay text. */
const isFieldDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Writes the form as a query. */
export function SearchPanel({ query, tags, onClose, onSearch }: SearchPanelProps) {
  const start = splitQuery(query, true);
  const find = (operator: Operator): Chip | undefined =>
    start.chips.find(
      chip =>
        chip.operator === operator &&
        !chip.isNegated &&
        (isFieldDate(chip.value) || (operator !== 'before' && operator !== 'after')) &&
        (operator !== 'has' || chip.value.startsWith('attachment')),
    );
  const [values, setValues] = useState(
    () => new Map<Operator, string>(inForm.map(operator => [operator, find(operator)?.value ?? ''])),
  );
  const [words, setWords] = useState(start.text);
  const value = (operator: Operator): string => values.get(operator) ?? '';
  const set = (operator: Operator) => (next: string) =>
    setValues(before => new Map(before).set(operator, next));
  const submit = () => {
    const taken = new Set(inForm.map(find));
    const chips = [
      ...inForm
        .filter(operator => value(operator).trim() !== '')
        .map((operator): Chip => ({ operator, value: value(operator), isNegated: false })),
      ...start.chips.filter(chip => !taken.has(chip)),
    ];
    onSearch(joinQuery({ chips, text: words.trim() }));
  };
  const places = [
    { value: anywhere, label: t('Everywhere') },
    { value: 'inbox', label: t('Inbox') },
    { value: 'sent', label: t('Sent') },
    { value: 'drafts', label: t('Drafts') },
    { value: 'archive', label: t('Archive') },
    { value: 'spam', label: t('Spam') },
    { value: 'deleted', label: t('Deleted') },
  ];
  const known = places.some(place => place.value === value('in')) || value('in') === '';
  const field = (operator: Operator, label: string, type = 'text') => (
    <TextField
      label={label}
      type={type}
      value={value(operator)}
      onChange={set(operator)}
      autoComplete="off"
    />
  );
  return (
    <FormDialog title={t('Search options')} submitLabel={t('Search')} onSubmit={submit} onClose={onClose}>
      <div className="grid gap-3 pane:grid-cols-2">
        {field('from', t('From'))}
        {field('to', t('To'))}
        {field('subject', t('Subject'))}
        <TextField label={t('Contains the words')} value={words} onChange={setWords} autoComplete="off" />
        {field('filename', t('File name'))}
        <Select
          label={t('Search in')}
          options={known ? places : [...places, { value: value('in'), label: value('in') }]}
          value={value('in') || anywhere}
          onChange={next => set('in')(next === anywhere ? '' : next)}
        />
        {field('after', t('On or after'), 'date')}
        {field('before', t('Before'), 'date')}
        {tags.length > 0 && (
          <Select
            label={t('Tag')}
            options={[{ value: anywhere, label: t('Any') }, ...tags.map(tag => ({ value: tag, label: tag }))]}
            value={tags.includes(value('tag')) ? value('tag') : anywhere}
            onChange={next => set('tag')(next === anywhere ? '' : next)}
          />
        )}
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control */}
        <label className="flex items-center gap-2 self-end pb-2 text-base">
          <Checkbox
            label={t('Has attachment')}
            checked={value('has') !== ''}
            onChange={checked => set('has')(checked ? 'attachment' : '')}
          />
          {t('Has attachment')}
        </label>
      </div>
    </FormDialog>
  );
}
