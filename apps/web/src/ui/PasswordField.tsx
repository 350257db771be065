// A password input with a show button, and its rules, which are checked off while typing.
import { Check, Eye, EyeOff, X } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { cn } from '../lib/class-names.ts';
import { t } from '../lib/language.ts';
import { Field } from './Field.tsx';
import { fieldFrame } from './field-frame.ts';
import { IconButton } from './IconButton.tsx';

type PasswordRule = {
  text: string;
  met: boolean;
};

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string | undefined;
  rules?: readonly PasswordRule[];
};

/** A labeled password input that works with paste and password managers. */
export function PasswordField({ label, value, onChange, error, hint, rules, ...rest }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const ruleList = rules !== undefined && (
    <ul
      aria-label={t('Password requirements')}
      className="mt-0.5 grid grid-cols-2 gap-1 text-meta max-[420px]:grid-cols-1"
    >
      {rules.map(rule => (
        <li
          key={rule.text}
          className={cn('flex items-center gap-1.5', rule.met ? 'text-success' : 'text-ink-3')}
        >
          {rule.met ? <Check aria-hidden size={13} /> : <X aria-hidden size={13} />}
          {rule.text}
          <span className="sr-only">{rule.met ? t(', met') : t(', not met')}</span>
        </li>
      ))}
    </ul>
  );
  return (
    <Field label={label} hint={hint} error={error} after={ruleList}>
      {({ id, describedBy, invalid }) => (
        <div className={cn(fieldFrame(invalid, rest.disabled), 'h-10 items-center pointer-coarse:h-[46px]')}>
          <input
            spellCheck={false}
            autoCapitalize="none"
            {...rest}
            id={id}
            type={isShown ? 'text' : 'password'}
            value={value}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            onChange={event => onChange(event.target.value)}
            className="h-full min-w-0 flex-1 bg-transparent px-3 text-pane outline-none"
          />
          <IconButton
            tip={false}
            size="lg"
            label={isShown ? t('Hide password') : t('Show password')}
            aria-pressed={isShown}
            onClick={() => setShown(shown => !shown)}
          >
            {isShown ? <EyeOff size={17} /> : <Eye size={17} />}
          </IconButton>
        </div>
      )}
    </Field>
  );
}
