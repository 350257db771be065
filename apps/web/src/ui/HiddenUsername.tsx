// The whole address for password managers, in forms that do not ask for it as such: they keep what is in it beside the
// password, and find by it what they kept. A field of the type "hidden" they pass over.

type HiddenUsernameProps = {
  name: string;
  address: string;
};

/** Not shown and not read out; goes before the password. */
export function HiddenUsername({ name, address }: HiddenUsernameProps) {
  return <input type="email" name={name} autoComplete="username" hidden readOnly value={address} />;
}
