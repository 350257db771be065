/**
 * Typed client for calls/sign-up.ts of the contract, shared by the modules that make these calls.
 */
import { signUpCalls } from '@keyfold/contract/calls/sign-up';
import { clientOf } from '../client.ts';

export const signUpClient = clientOf(signUpCalls);
