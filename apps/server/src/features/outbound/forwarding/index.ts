/** What the rest of the server may use of features/outbound/forwarding. */
export type { ForwardedMail } from './may-forward.ts';
export { createReturnDesk, type ReturnedTo } from './returns.ts';
export { createForwardDesk, type Forward } from './service.ts';
