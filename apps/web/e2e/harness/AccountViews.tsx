// The screens before the mailbox: sign-in, signup, key progress, link.
import { KeyProgress } from '../../src/features/auth/KeyProgress.tsx';
import { SigninScreen } from '../../src/features/auth/SigninScreen.tsx';
import { SignupScreen } from '../../src/features/auth/SignupScreen.tsx';
import { LinkScreen } from '../../src/features/link/LinkScreen.tsx';
import { CenteredLayout } from '../../src/features/shell/CenteredLayout.tsx';

const query = new URLSearchParams(location.search);
function nothing() {}

export function AccountViews({ view }: { view: string }) {
  return (
    <CenteredLayout>
      {view === 'link' && <LinkScreen />}
      {view === 'keys' && <KeyProgress current={1} email="mara@keyfold.test" />}
      {view === 'signin' && (
        <SigninScreen
          initialEmail="mara@keyfold.test"
          isBusy={query.has('busy')}
          error={query.has('wrong') ? 'Incorrect address or password' : undefined}
          completeAddress={async typed => typed}
          onSubmit={nothing}
          recoverPath="/app/signin?recover"
          signupPath="/app/signup"
        />
      )}
      {view === 'signup' && (
        <SignupScreen
          domains={['keyfold.test', 'harborpost.test']}
          needsInvitation={query.has('invited')}
          initial={{ name: 'Mara Keller', username: 'mara', password: 'correcthorse' }}
          availability="free"
          captcha="working"
          onRetryCaptcha={nothing}
          isBusy={false}
          onSubmit={nothing}
          signinPath="/app/signin"
        />
      )}
    </CenteredLayout>
  );
}
