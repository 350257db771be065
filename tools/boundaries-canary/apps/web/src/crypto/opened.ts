import { message } from '@keyfold/crypto/message'; // violates: main-thread-crypto

export const opened = message;
