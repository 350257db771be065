// A page for viewing the components with sample data, served by `vite` in development only:
// /e2e/harness/?view=mail&state=loading&theme=dark. Never part of the built program.
import '../../src/styles.css';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Root } from '../../src/Root.tsx';
import { startForcedColors } from '../../src/theme/forced-colors.ts';
import { setThemeMode, startTheme } from '../../src/theme/theme-mode.ts';
import { AccountViews } from './AccountViews.tsx';
import { MailView } from './MailView.tsx';

const query = new URLSearchParams(location.search);
startTheme();
void startForcedColors();
if (query.has('theme')) setThemeMode(query.get('theme') === 'dark' ? 'dark' : 'light');
if (query.has('rtl')) document.documentElement.dir = 'rtl';

const view = query.get('view') ?? 'mail';
const router = createBrowserRouter([
  {
    Component: Root,
    children: [{ path: '*', element: view === 'mail' ? <MailView /> : <AccountViews view={view} /> }],
  },
]);
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<RouterProvider router={router} />);
