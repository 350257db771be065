// Starts the web client: theme, language, the shell's hash targets, router. Renders no UI itself.
import './session/calls/schema-mode.ts';
import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { guardDrops } from './lib/drop-guard.ts';
import { startLanguage } from './lib/language-choice.ts';
import { loadAgain } from './lib/load-again.ts';
import { isNative } from './native/is-native.ts';
import { pathForHash } from './paths.ts';
import { routes } from './routes.tsx';
import { enterAt } from './session/entry.ts';
import { noteRequestedDraft } from './session/requested-draft.ts';
import { startForcedColors } from './theme/forced-colors.ts';
import { startTheme } from './theme/theme-mode.ts';

// The app has loaded, so the fallback note of the page is removed.
document.querySelector('.start-note')?.remove();
startTheme();
guardDrops(document);

const firstTarget = pathForHash(location.hash);
if (firstTarget !== null) history.replaceState(null, '', firstTarget);

noteRequestedDraft(location);

const router = createBrowserRouter(routes);

/** The phone shell has a separate start, which may ask for biometrics before the sign-in check. */
const started = isNative()
  ? loadAgain(() => import('./session/sign-in/native-start.ts')).then(native => native.startNative(router))
  : enterAt(location.pathname);

addEventListener('hashchange', () => {
  const target = pathForHash(location.hash);
  if (target !== null) void router.navigate(target, { replace: true });
});

/**
 * Renders nothing before texts and colors are loaded. English and most systems have them
 * immediately.
 */
async function draw(): Promise<void> {
  await Promise.all([startLanguage(), startForcedColors()]);
  await started;
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
}

void draw();
