import { remoteContentCalls } from '@keyfold/contract/calls/remote-content';
import { clientOf } from '../client.ts';

export const remoteContentClient = clientOf(remoteContentCalls);
