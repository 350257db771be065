// The typed client of the operator's calls; fetched with the console's tab of that name.
import { operationsApi } from '@keyfold/contract/operations';
import { signupCodesApi } from '@keyfold/contract/signup-codes';
import { clientOf } from './client.ts';

export const operationsClient = clientOf({ ...operationsApi, ...signupCodesApi });
