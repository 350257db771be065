// The device's camera, open while the user scans a code. Its images stay in the page.

/**
 * Why no camera is available: the user or the policy denied access, there is none, another program
 * is using it, or the browser does not support it.
 */
export type CameraProblem = 'refused' | 'missing' | 'taken' | 'unsupported';

/** Error for an unavailable camera; `problem` gives the reason. */
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

/**
 * Requests the camera, the rear one if there are two. The caller stops the stream. Rejects with
 * CameraError.
 */
export async function openCamera(): Promise<MediaStream> {
  // Browsers hide this API from pages served without HTTPS.
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

/** Releases the camera, which turns off its indicator light. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Returns whether the camera faces the user, who expects a mirrored image. */
export const isMirror = (stream: MediaStream): boolean =>
  stream.getVideoTracks()[0]?.getSettings().facingMode !== 'environment';
