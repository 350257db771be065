// One's own password, asked for once more before something is changed. Goes with the address in a field that is not seen, by
// which password managers know whose it is.
import { t } from '../../lib/language.ts';
import { HiddenUsername } from '../../ui/HiddenUsername.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';

type OwnPasswordFieldProps = {
  /** The address that the account was made with. */
  email: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
};

/** The field; stands in a form. */
export function OwnPasswordField({ email, ...field }: OwnPasswordFieldProps) {
  return (
    <>
      <HiddenUsername name="username" address={email} />
      <PasswordField label={t('Password')} name="password" autoComplete="current-password" {...field} />
    </>
  );
}
