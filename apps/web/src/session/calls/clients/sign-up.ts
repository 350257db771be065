import { signUpCalls } from '@keyfold/contract/calls/sign-up';
import { clientOf } from '../client.ts';

export const signUpClient = clientOf(signUpCalls);
