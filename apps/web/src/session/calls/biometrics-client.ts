// The typed client of the calls that phones alone make.
import { biometricsApi } from '@keyfold/contract/biometrics';
import { clientOf } from './client.ts';

export const biometricsClient = clientOf(biometricsApi).biometrics;
