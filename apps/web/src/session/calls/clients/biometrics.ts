import { biometricsCalls } from '@keyfold/contract/calls/biometrics';
import { clientOf } from '../client.ts';

export const biometricsClient = clientOf(biometricsCalls);
