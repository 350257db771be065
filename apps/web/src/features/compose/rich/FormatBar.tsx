// Buttons that format the selection. The bar is a single Tab stop; the arrow keys move within it.
// Each button exposes its state.
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import {
  Bold,
  Code,
  Heading,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  RemoveFormatting,
  SquareCode,
  Strikethrough,
  TextQuote,
  Underline,
} from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { writeKeys } from '../../../session/commands/shortcut-keys.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';

type FormatBarProps = {
  editor: Editor;
  label: string;
  onLink: () => void;
};

type FormatTool = {
  readonly name: string;
  readonly label: string;
  readonly keys?: string;
  readonly Icon: LucideIcon;
  readonly act: (editor: Editor) => void;
};

const tools = (): readonly FormatTool[] => [
  {
    name: 'bold',
    label: t('Bold'),
    keys: writeKeys('Mod+b'),
    Icon: Bold,
    act: it => it.chain().focus().toggleBold().run(),
  },
  {
    name: 'italic',
    label: t('Italic'),
    keys: writeKeys('Mod+i'),
    Icon: Italic,
    act: it => it.chain().focus().toggleItalic().run(),
  },
  {
    name: 'underline',
    label: t('Underline'),
    keys: writeKeys('Mod+u'),
    Icon: Underline,
    act: it => it.chain().focus().toggleUnderline().run(),
  },
  {
    name: 'strike',
    label: t('Strikethrough'),
    keys: writeKeys('Mod+Shift+s'),
    Icon: Strikethrough,
    act: it => it.chain().focus().toggleStrike().run(),
  },
  {
    name: 'bulletList',
    label: t('Bulleted list'),
    keys: writeKeys('Mod+Shift+8'),
    Icon: List,
    act: it => it.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'orderedList',
    label: t('Numbered list'),
    keys: writeKeys('Mod+Shift+7'),
    Icon: ListOrdered,
    act: it => it.chain().focus().toggleOrderedList().run(),
  },
  {
    name: 'blockquote',
    label: t('Quote'),
    Icon: TextQuote,
    act: it => it.chain().focus().toggleBlockquote().run(),
  },
  {
    name: 'code',
    label: t('Code'),
    keys: writeKeys('Mod+e'),
    Icon: Code,
    act: it => it.chain().focus().toggleCode().run(),
  },
  {
    name: 'codeBlock',
    label: t('Code block'),
    Icon: SquareCode,
    act: it => it.chain().focus().toggleCodeBlock().run(),
  },
];

const clear = (editor: Editor) => editor.chain().focus().unsetAllMarks().clearNodes().run();

const headings = () =>
  [
    { level: 0, words: t('Normal text') },
    { level: 1, words: t('Large heading') },
    { level: 2, words: t('Heading') },
    { level: 3, words: t('Small heading') },
  ] as const;

/** Arrow keys move among the buttons of a bar. */
function moveFocus(event: KeyboardEvent<HTMLElement>): number | null {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  if (at < 0) return null;
  const step = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
  const places: Readonly<Record<string, number>> = {
    ArrowRight: at + step,
    ArrowLeft: at - step,
    Home: 0,
    End: buttons.length - 1,
  };
  const place = places[event.key];
  if (place === undefined) return null;
  const next = (place + buttons.length) % buttons.length;
  event.preventDefault();
  buttons[next]?.focus();
  return next;
}

export function FormatBar({ editor, label, onLink }: FormatBarProps) {
  const [stop, setStop] = useState(0);
  const all = tools();
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      names: all.filter(tool => now.isActive(tool.name)).map(tool => tool.name),
      heading: [1, 2, 3].find(level => now.isActive('heading', { level })) ?? 0,
      isLink: now.isActive('link'),
    }),
  });
  const setHeading = (level: 0 | 1 | 2 | 3) =>
    level === 0
      ? editor.chain().focus().setParagraph().run()
      : editor.chain().focus().setHeading({ level }).run();
  const stopOf = (place: number) => (place === stop ? 0 : -1);
  return (
    <div
      role="toolbar"
      aria-label={label}
      data-keep-clear
      onKeyDown={event => {
        const next = moveFocus(event);
        if (next !== null) setStop(next);
      }}
      className="flex shrink-0 flex-wrap items-center gap-0.5 border-t border-line bg-raised px-2.5 py-1 in-data-scrolling:sticky in-data-scrolling:bottom-0 max-pane:flex-nowrap max-pane:overflow-x-auto"
    >
      <Menu
        align="start"
        trigger={
          <IconButton
            tip={false}
            size="sm"
            label={t('Text size')}
            tabIndex={stopOf(0)}
            className="pointer-coarse:size-11"
          >
            <Heading size={16} />
          </IconButton>
        }
      >
        {headings().map(({ level, words }) => (
          <MenuItem key={level} checked={active.heading === level} onSelect={() => setHeading(level)}>
            {words}
          </MenuItem>
        ))}
      </Menu>
      {all.map(({ name, label: words, keys, Icon, act }, index) => (
        <IconButton
          key={name}
          size="sm"
          label={words}
          keys={keys}
          tabIndex={stopOf(index + 1)}
          aria-pressed={active.names.includes(name)}
          onMouseDown={event => event.preventDefault()}
          onClick={() => act(editor)}
          className="aria-pressed:bg-selected-strong aria-pressed:text-accent-text pointer-coarse:size-11"
        >
          <Icon size={16} />
        </IconButton>
      ))}
      <IconButton
        size="sm"
        label={t('Link')}
        keys={writeKeys('Mod+k')}
        tabIndex={stopOf(all.length + 1)}
        aria-pressed={active.isLink}
        onMouseDown={event => event.preventDefault()}
        onClick={onLink}
        className="aria-pressed:bg-selected-strong aria-pressed:text-accent-text pointer-coarse:size-11"
      >
        <Link size={16} />
      </IconButton>
      <IconButton
        size="sm"
        label={t('Clear formatting')}
        tabIndex={stopOf(all.length + 2)}
        onMouseDown={event => event.preventDefault()}
        onClick={() => clear(editor)}
        className="pointer-coarse:size-11"
      >
        <RemoveFormatting size={16} />
      </IconButton>
    </div>
  );
}
