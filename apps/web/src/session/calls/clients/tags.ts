import { tagsCalls } from '@keyfold/contract/calls/tags';
import { clientOf } from '../client.ts';

export const tagsClient = clientOf(tagsCalls);
