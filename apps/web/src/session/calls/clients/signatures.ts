import { signaturesCalls } from '@keyfold/contract/calls/signatures';
import { clientOf } from '../client.ts';

export const signaturesClient = clientOf(signaturesCalls);
