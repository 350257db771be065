// The field for the user's own password, which is asked for again before a sensitive change. A
// hidden field with the address tells password managers which account it belongs to.
import { t } from '../../lib/language.ts';
import { HiddenUsername } from '../../ui/HiddenUsername.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';

type OwnPasswordFieldProps = {
  /** The address that the account was created with. */
  email: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
};

/** Must be inside a form. */
export function OwnPasswordField({ email, ...field }: OwnPasswordFieldProps) {
  return (
    <>
      <HiddenUsername name="username" address={email} />
      <PasswordField label={t('Password')} name="password" autoComplete="current-password" {...field} />
    </>
  );
}
