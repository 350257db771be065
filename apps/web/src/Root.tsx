// What stands around every screen: the policy for Base UI, the shared tooltip, the toasts.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet } from 'react-router';
import { ToastViewport } from './ui/ToastViewport.tsx';
import { TooltipLayer } from './ui/TooltipLayer.tsx';

/** The outermost route. */
export function Root() {
  return (
    <CSPProvider disableStyleElements>
      <Outlet />
      <TooltipLayer />
      <ToastViewport />
    </CSPProvider>
  );
}
