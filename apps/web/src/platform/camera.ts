// The camera of this device, for as long as somebody points it at a code. Its pictures stay in the page.

/** Why there is none: the person or the policy refused, there is no camera, another program has it, or the browser has no such thing. */
export type CameraProblem = 'refused' | 'missing' | 'taken' | 'unsupported';

/** No camera; `problem` says why. */
export class CameraError extends Error {
  override name = 'CameraError';
  readonly problem: CameraProblem;
  constructor(problem: CameraProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

const problems: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
};

/** Asks for the camera, the one at the back where there are two. The caller stops the stream. Rejects with CameraError. */
export async function openCamera(): Promise<MediaStream> {
  // Browsers hide it from pages that came without HTTPS.
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  if (devices?.getUserMedia === undefined) throw new CameraError('unsupported');
  try {
    return await devices.getUserMedia({
      audio: false,
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    });
  } catch (cause) {
    throw new CameraError(problems[(cause as Error).name] ?? 'taken', cause);
  }
}

/** Lets go of the camera; its light goes out. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether it looks at the person before the screen, who expects a mirror. */
export const isMirror = (stream: MediaStream): boolean =>
  stream.getVideoTracks()[0]?.getSettings().facingMode !== 'environment';
