/**
 * Typed client for calls/biometrics.ts of the contract, shared by the modules that make these
 * calls.
 */
import { biometricsCalls } from '@keyfold/contract/calls/biometrics';
import { clientOf } from '../client.ts';

export const biometricsClient = clientOf(biometricsCalls);
