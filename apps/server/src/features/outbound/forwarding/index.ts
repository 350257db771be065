/** Public interface of features/outbound/forwarding. */
export type { ForwardedMail } from './may-forward.ts';
export { createReturnHandler, type ReturnedTo } from './returns.ts';
export { createForwarder, type Forward } from './service.ts';
