import { keyRotationCalls } from '@keyfold/contract/calls/key-rotation';
import { clientOf } from '../client.ts';

export const keyRotationClient = clientOf(keyRotationCalls);
