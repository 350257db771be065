import { message } from '@keyfold/crypto/message';

export const inWorker = message;
