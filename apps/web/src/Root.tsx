// Wraps every screen: content policy and direction for Base UI, the shared tooltip, the toasts.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { Outlet } from 'react-router';
import { ToastViewport } from './ui/ToastViewport.tsx';
import { TooltipLayer } from './ui/TooltipLayer.tsx';

/** The outermost route. */
export function Root() {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
        <Outlet />
        <TooltipLayer />
        <ToastViewport />
      </DirectionProvider>
    </CSPProvider>
  );
}
