// An area to drop files on, with a button for users who do not drag.
import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { cn } from '../lib/class-names.ts';
import { t } from '../lib/language.ts';
import { Button } from './Button.tsx';

type FileDropProps = {
  /** The instruction, as in "Drop a PST file here". */
  title: string;
  hint?: ReactNode;
  buttonLabel?: string;
  accept?: string;
  multiple?: boolean;
  disabled?: boolean;
  /** Opens a file picker other than the browser's plain dialog; null where there is none. */
  choose?: () => Promise<File[] | null>;
  /** Extracts files from a drop by other means; called while the drop event is dispatched. */
  fromDrop?: (transfer: DataTransfer) => Promise<File[]>;
  onFiles: (files: File[]) => void;
};

/** Reports the files that were dropped or chosen. */
export function FileDrop({
  title,
  hint,
  buttonLabel = t('Choose file'),
  accept,
  multiple = false,
  disabled = false,
  choose,
  fromDrop,
  onFiles,
}: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (list: Iterable<File> | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0 && !disabled) onFiles(multiple ? files : files.slice(0, 1));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (fromDrop === undefined) take(event.dataTransfer.files);
    else void fromDrop(event.dataTransfer).then(take);
  };
  const ask = async () => {
    const chosen = (await choose?.()) ?? null;
    if (chosen === null) input.current?.click();
    else take(chosen);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drop target with this look.
    <div
      role="group"
      aria-label={title}
      onDragOver={event => {
        event.preventDefault();
        setOver(!disabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'grid justify-items-center gap-2 rounded-card border border-dashed p-8 text-center',
        isOver ? 'border-accent bg-selected' : 'border-line-strong bg-well',
      )}
    >
      <Upload aria-hidden size={24} className="text-ink-3" />
      <div className="font-medium">{title}</div>
      {hint !== undefined && <div className="text-control text-ink-2">{hint}</div>}
      <Button variant="outline" disabled={disabled} onClick={() => void ask()}>
        {buttonLabel}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={buttonLabel}
        accept={accept}
        multiple={multiple}
        onChange={event => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
    </div>
  );
}
