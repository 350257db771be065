/** Public interface of features/outbound/send-watch. */
export {
  describeHold,
  findHeldUntil,
  forgetWatched,
  goOnWhenReleased,
  noteRefusals,
  noteSend,
  publishHoldGauge,
  refuseCertainSpam,
  releaseHold,
  releaseSender,
  tellHoldsSoon,
} from './service.ts';
