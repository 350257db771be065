import { tags } from '../calls/tags.ts'; // violates: contract-core

export const known = tags;
