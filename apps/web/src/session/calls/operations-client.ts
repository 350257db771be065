// The typed client of the operator's calls; fetched with the console's tab of that name.
import { operationsApi } from '@keyfold/contract/operations';
import { signUpCodesApi } from '@keyfold/contract/sign-up-codes';
import { clientOf } from './client.ts';

export const operationsClient = clientOf({ ...operationsApi, ...signUpCodesApi });
