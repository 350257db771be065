// Freezes the durations against the text of spec §2, §4, §7, §8 and §9: a change here is a change of the specification.
import { expect, test } from 'vitest';
import * as timing from './timing.ts';

test('the durations of the specification stay as they are written there', () => {
  expect({ ...timing }).toEqual({
    pollIntervalMs: 30_000,
    operationLockMs: 30_000,
    toastMs: 3_000,
    actionToastMs: 10_000,
    undoWindowMs: 60_000,
    searchDebounceMs: 500,
    refreshAfterActionMs: 500,
    chunkTimeoutMs: 120_000,
    webRequestTimeoutMs: 10_000,
    nativeRequestTimeoutMs: 30_000,
    pstUploadTimeoutMs: 30_000,
    csrfLifetimeMs: 82_800_000,
    csrfRefreshBufferMs: 300_000,
    csrfRetryDelayMs: 1_000,
    authBackupLifetimeMs: 2_592_000_000,
    biometricLifetimeMs: 604_800_000,
    keptBiometricLifetimeMs: 2_592_000_000,
    sessionRetryDelayMs: 500,
    quietWaitMs: 200,
    slowSigninMs: 10_000,
    draftIdleMs: 1_500,
    draftMaxWaitMs: 10_000,
    readerWarmMs: 300,
    composerWarmMs: 2_000,
    addressCheckDebounceMs: 400,
    goSequenceMs: 1_500,
    copiedMs: 2_000,
    tooltipDelayMs: 400,
    workSliceMs: 8,
  });
});
