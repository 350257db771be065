// Field for a new password: its rules, and what is wrong with it once the field was left.
import { findPasswordProblem } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { passwordRules } from './signup-rules.ts';

type NewPasswordFieldProps = {
  value: string;
  onChange: (value: string) => void;
  /** Whether the user has left the field or tried to submit the form. */
  isVisited: boolean;
  onVisited: () => void;
};

/** The field; findPasswordProblem decides whether the password is accepted. */
export function NewPasswordField({ value, onChange, isVisited, onVisited }: NewPasswordFieldProps) {
  const broken = findPasswordProblem(value);
  return (
    <PasswordField
      label={t('New password')}
      name="new-password"
      autoComplete="new-password"
      value={value}
      onChange={onChange}
      onBlur={() => value !== '' && onVisited()}
      error={isVisited && broken !== null ? t(broken) : undefined}
      rules={passwordRules(value)}
    />
  );
}
