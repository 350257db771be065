/** Typed client for calls/tags.ts of the contract, shared by the modules that make these calls. */
import { tagsCalls } from '@keyfold/contract/calls/tags';
import { clientOf } from '../client.ts';

export const tagsClient = clientOf(tagsCalls);
