// The complete address for password managers, in forms that do not ask for it in this form. They
// store it beside the password and look up the entry by it. They skip fields of the type "hidden".

type HiddenUsernameProps = {
  name: string;
  address: string;
};

/** Neither shown nor read out; must precede the password field. */
export function HiddenUsername({ name, address }: HiddenUsernameProps) {
  return <input type="email" name={name} autoComplete="username" hidden readOnly value={address} />;
}
